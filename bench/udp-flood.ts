// A million clients of a UDP port, each of which sends one datagram: whether a worker's memory grows, where the Service answers and where it does not, and
// whether others are served meanwhile and afterwards. Writes bench/results/udp-flood.md; takes some minutes. `--addresses=N`: printed only.
import { execFile } from "node:child_process"
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { mkdtempDisposableSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs, promisify } from "node:util"
import { print, type Report, write } from "../harness/report.ts"
import { type Streams, startStreams, UdpClient } from "../harness/streams.ts"
import { until } from "../harness/until.ts"
import { compileC } from "./support/c-program.ts"
import { privateBytes } from "./support/cpu.ts"

const { values: given } = parseArgs({ options: { addresses: { type: "string" } } })
const addresses = Number(given.addresses ?? 1_000_000)
/** After so many the first figure is taken: everything has been needed once. */
const warm = addresses / 20
const sessionMs = 2000

using dir = mkdtempDisposableSync(join(tmpdir(), "wick-flood-"))
const flood = compileC("flood", dir.path)

const [load = 0] = loadavg()
const rows: (string | number)[][] = []
const answering = await service((text) => text)
const silent = await service(() => undefined)
await measure("answers, which ends the session", answering, { responses: 1 })
await measure(`never answers: a session ends after ${sessionMs / 1000} s`, silent, {})
await measure("is not expected to answer", silent, { responses: 0 })

answering.socket.close()
silent.socket.close()

const report: Report = {
  name: "udp-flood",
  title: "A million clients of a UDP port",
  method: `One worker with 4,096 connections, and a datagram from each of ${addresses.toLocaleString("en")} addresses, from 127.1.0.0 on, as fast as a worker takes them. Memory is what the worker has for itself (smaps_rollup, Private): after ${warm.toLocaleString("en")} addresses, and after all. Sessions: as \`ingress_stream_counters\` has them; what found no free connection, or no room in the socket, has none.`,
  columns: ["the Service", "sessions", "memory at first, MB", "at last, MB", "open a moment later"],
  rows,
  remarks: [
    "A client that came before is answered afterwards in each of the three.",
    ...(load < 1 ? [] : [`The machine was busy with other work (load ${load.toFixed(0)}).`]),
  ],
}
if (Object.keys(given).length === 0) write(report)
else print(report)

interface Service {
  readonly address: string
  readonly socket: Socket
}

/** Unlike the harness's it keeps nothing of what came. */
async function service(answer: (text: Buffer) => Buffer | undefined): Promise<Service> {
  const socket = createSocket("udp4")
  socket.on("message", (text, from) => {
    const answered = answer(text)
    if (answered !== undefined) socket.send(answered, from.port, from.address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return { address: `127.0.0.1:${socket.address().port}`, socket }
}

async function measure(name: string, target: Service, numbers: object): Promise<void> {
  await using streams = await startStreams({ workers: 1, inStream: "error_log /dev/null crit;" })
  const serve = (to: Service, stream: object) =>
    streams.serve("udp", [to.address], { stream: { proxy_timeout_ms: sessionMs, ...stream } })
  await serve(target, numbers)
  await send(streams, 0, warm)
  const first = memory(streams)
  await send(streams, warm, addresses - warm)
  const last = memory(streams)
  await until("all sessions to have ended", async () => (await open(streams)) === 0)
  const { sessions } = await streams.counted(`udp:${streams.tcp}`)
  await serve(answering, { responses: 1 })
  using client = new UdpClient(streams.tcp)
  await client.ask("?")
  rows.push([name, sessions, first, last, await open(streams)])
}

async function send({ tcp }: Streams, first: number, count: number): Promise<void> {
  await promisify(execFile)(flood, [String(tcp), String(first), String(count)])
}

function memory(streams: Streams): string {
  return (privateBytes(streams.nginx.workers()[0] ?? 0) / 1e6).toFixed(1)
}

async function open(streams: Streams): Promise<number> {
  const { sessions, ended } = await streams.counted(`udp:${streams.tcp}`)
  return sessions - ended
}

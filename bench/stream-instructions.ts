// Instructions per session of TCP, by stock nginx's stream module and by records, counted by valgrind. Writes bench/results/stream-instructions.md. Needs
// valgrind; takes some minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, rawTarget } from "../harness/ingress/passthrough.ts"
import { isRunning, signal } from "../harness/processes.ts"
import { write } from "../harness/report.ts"
import { type Streams, startStreams } from "../harness/streams.ts"
import { until } from "../harness/until.ts"
import { callgrind, needValgrind, totalIn } from "./support/callgrind.ts"

interface Way {
  readonly name: string
  /** nginx's own upstream at this port, in the place of the filter's */
  readonly isStock?: boolean
  readonly stream?: object
}

const ways: readonly Way[] = [
  { name: "nginx's own stream module", isStock: true },
  { name: "a record", stream: {} },
  { name: "a record with numbers", stream: { proxy_timeout_ms: 60_000, next_upstream_tries: 2 } },
  { name: "a record with an address list", stream: { allow: "local" } },
  { name: "a record with limits", stream: { connections: 1000, connections_per_second: 1_000_000 } },
]

needValgrind()
const short = 200
const long = 700
await using target = await rawTarget("!")
const counts: number[] = []
for (const way of ways)
  counts.push(((await instructions(way, long)) - (await instructions(way, short))) / (long - short))

/** Instructions that nginx's event loop takes in a run of so many sessions. */
async function instructions(way: Way, sessions: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(dir, "out")
  {
    await using streams = await startStreams({
      workers: 1,
      count: 2,
      inMain: "master_process off;",
      // As error-log-level is by default: nginx has some lines for each session that are less.
      inStream: "error_log /dev/null notice;",
      moreServers: ({ ports }) => `
  upstream stock { server ${target.address}; }
  server { listen 127.0.0.2:${ports[1]}; proxy_pass stock; }`,
      under: callgrind(out),
    })
    await streams.apply({ address_lists: { set: [{ id: "local", ranges: ["127.0.0.0/8"] }] } })
    await streams.serve("tcp", [target.address], { stream: way.stream ?? {} })
    for (let at = 0; at < sessions; at += 1) await once(streams.tcp, way.isStock ? "127.0.0.2" : "127.0.0.1")
    await quit(streams)
  }
  const total = totalIn(out)
  rmSync(dir, { recursive: true })
  return total
}

/** Connects, sends a byte, gets one, and closes. */
async function once(port: number, host: string): Promise<void> {
  using client = new Client(port, host)
  await client.send("?")
  await until("the endpoint's byte", () => client.answer.length > 0)
  client.socket.end()
  await client.closed
}

/** Under valgrind a signal interrupts nothing: nginx heeds it when it next wakes up. It writes its counts then, which may take long. */
async function quit({ nginx }: Streams): Promise<void> {
  signal(nginx.pid, "SIGQUIT")
  const isGone = async () => {
    await nginx.control("GET", "/configuration/changes").catch(() => {})
    return !isRunning(nginx.pid)
  }
  await until("nginx to end", isGone, 60_000)
}

write({
  name: "stream-instructions",
  title: "Instructions of a worker per session of TCP",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their sessions
(${long - short}). A session is a connection, a byte to the endpoint, a byte back, and the end; each has its line in the access log, and none in the error log, as it is by default (at "info" its lines cost three times as much as all else). The kernel's share, which is most of it, is not in it.`,
  columns: ["way", "instructions per session", "of nginx's own"],
  rows: ways.map(({ name }, at) => {
    const [base = Number.NaN] = counts
    const count = counts[at] ?? Number.NaN
    return [name, Math.round(count), (count / base).toFixed(2)]
  }),
  remarks: [
    "What a record costs more is mostly the filter, which is asked for the endpoint and told what became of it.",
  ],
})

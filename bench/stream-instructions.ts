// Instructions per session of TCP, by stock nginx's stream module and by records, counted by valgrind. Writes bench/results/stream-instructions.md. Needs
// valgrind; takes some minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, rawTarget } from "../harness/ingress/passthrough.ts"
import { type Conf, type Site, startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { streamModule } from "../harness/stream-module.ts"
import { startStreams } from "../harness/streams.ts"
import { until } from "../harness/until.ts"
import { callgrind, comeAndGo, needValgrind, perOne, quit, totalIn } from "./support/callgrind.ts"

interface Way {
  readonly name: string
  readonly stream?: object
  /** nginx writes the line of the log, not our module. */
  readonly hasNginxsLine?: boolean
}

const ways: readonly Way[] = [
  { name: "a record", stream: {} },
  { name: "a record, its line in the log written by nginx", hasNginxsLine: true },
  { name: "a record with numbers", stream: { proxy_timeout_ms: 60_000, next_upstream_tries: 2 } },
  { name: "a record with an address list", stream: { allow: "local" } },
  { name: "a record with limits", stream: { connections: 1000, connections_per_second: 1_000_000 } },
]

// The lines that ingress-nginx has by default: nginx has some in the error log for each session that are less than a notice.
const format = "'[$remote_addr] [$time_local] $protocol $status $bytes_sent $bytes_received $session_time'"
const errorLog = "error_log /dev/null notice;"
const nginxsLine = `${errorLog} log_format log_stream ${format};`
const ourLine = `${errorLog} ingress_stream_log_line $line ${format}; log_format log_stream escape=none $line;`
const accessLog = "access_log /dev/null log_stream;"
const inMain = "master_process off;"

needValgrind()
const short = 200
const long = 700
await using target = await rawTarget("!")
const stock = await perSession(ofStock)
const counts: number[] = []
for (const way of ways) counts.push(await perSession((out, sessions) => ofRecord(way, out, sessions)))

/** Instructions for each session, by what runs with so many. */
function perSession(run: (out: string, sessions: number) => Promise<void>): Promise<number> {
  return perOne(short, long, (sessions) => instructions(run, sessions))
}

/** Those that nginx's event loop takes in a run of so many sessions. */
async function instructions(run: (out: string, sessions: number) => Promise<void>, sessions: number) {
  const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(dir, "out")
  await run(out, sessions)
  const total = totalIn(out)
  rmSync(dir, { recursive: true })
  return total
}

/** nginx as it is, without modules of ours. */
async function ofStock(out: string, sessions: number): Promise<void> {
  await using nginx = await startNginx(stockConf, { under: callgrind(out) })
  await connect(nginx.port, sessions)
  await quit(nginx.pid, () => comeAndGo(nginx.port))
}

function stockConf({ port }: Site): Conf {
  return {
    main: `
load_module ${streamModule};
${inMain}
stream {
  ${nginxsLine}
  upstream stock { server ${target.address}; }
  server { listen 127.0.0.1:${port}; ${accessLog} proxy_pass stock; }
}`,
    http: "",
  }
}

async function ofRecord(
  { stream = {}, hasNginxsLine = false }: Way,
  out: string,
  sessions: number,
): Promise<void> {
  await using streams = await startStreams({
    workers: 1,
    inMain,
    inStream: hasNginxsLine ? nginxsLine : ourLine,
    inStreamServer: accessLog,
    under: callgrind(out),
  })
  await streams.apply({ address_lists: { set: [{ id: "local", ranges: ["127.0.0.0/8"] }] } })
  await streams.serve("tcp", [target.address], { stream })
  await connect(streams.tcp, sessions)
  await quit(streams.nginx.pid, () => streams.nginx.control("GET", "/configuration/changes"))
}

async function connect(port: number, sessions: number): Promise<void> {
  for (let at = 0; at < sessions; at += 1) await once(port)
}

/** Connects, sends a byte, gets one, and closes. */
async function once(port: number): Promise<void> {
  using client = new Client(port)
  await client.send("?")
  await until("the endpoint's byte", () => client.answer.length > 0)
  client.socket.end()
  await client.closed
}

write({
  name: "stream-instructions",
  title: "Instructions of a worker per session of TCP",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their sessions
(${long - short}). A session is a connection, a byte to the endpoint, a byte back, and the end; each has ingress-nginx's line in the access log, of a record as the controller configures it, and none in the error log, as it is by default (at "info" its lines cost three times as much as all else). nginx's own stream module runs without modules of ours. The kernel's share, which is most of it, is not in it.`,
  columns: ["way", "instructions per session", "of nginx's own"],
  rows: [["nginx's own stream module", Math.round(stock), "1.00"], ...ways.map(rowOf)],
  remarks: [
    "What a record costs more is mostly the filter, which is asked for the endpoint. It saves more: a session has its memory in one piece, not in pieces of 256 bytes, and its line in the log is written in one pass (`ingress_stream_log_line`).",
  ],
})

function rowOf({ name }: Way, at: number): (string | number)[] {
  const count = counts[at] ?? Number.NaN
  return [name, Math.round(count), (count / stock).toFixed(3)]
}

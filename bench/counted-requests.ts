// Whether the count of requests is the clients' own: a million of them, by kept and new connections, TLS, HTTP/2 and clients that go away, while nginx
// reloads; then some while workers are killed. Writes bench/results/counted-requests.md; ends with 1 when a count differs. `--requests=N` makes fewer
// and writes nothing. Takes about ten minutes.
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startBackends } from "../harness/backends.ts"
import { IdleClosed } from "../harness/http.ts"
import { startLoad } from "../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../harness/manifests.ts"
import { signal } from "../harness/processes.ts"
import { print, write } from "../harness/report.ts"
import { scrape, sumOf } from "../harness/scraped.ts"
import { TlsClient } from "../harness/tls-client.ts"
import { until } from "../harness/until.ts"
import { startWick } from "../harness/wick.ts"

const { values } = parseArgs({ options: { requests: { type: "string", default: "1000000" } } })
const total = Number(values.requests)

/** A client's own count. */
interface Tally {
  answered: number
  /** without an answer: nobody can say whether nginx has counted them */
  lost: number
}

type Run = (host: string, requests: number) => Promise<Tally>

interface Clients {
  readonly name: string
  /** of all requests */
  readonly share: number
  readonly run: Run
}

const kinds: readonly Clients[] = [
  { name: "HTTP/1.1, kept connections", share: 0.8, run: plain(true) },
  { name: "HTTP/1.1, a connection each", share: 0.05, run: plain(false) },
  { name: "HTTP/1.1 with TLS", share: 0.05, run: encrypted("h1") },
  { name: "HTTP/2", share: 0.099, run: encrypted("h2") },
  { name: "HTTP/1.1, the client goes away", share: 0.001, run: impatient },
]

/** Of a kind of clients, at a time. */
const connections = 8

const hostOf = (kind: number) => `kind-${kind}.test`
const ingressOf = (kind: number) => `kind-${kind}`

await using backends = await startBackends("quick", "slow")
await backends.find(({ name }) => name === "slow")?.fault("hang")
await using wick = await startWick({
  manifests: {
    "class.yaml": manifest(ingressClass),
    "settings.yaml": settingsFile(0),
    "app.yaml": manifest(
      ...backends.flatMap(({ name, port }) => serviceOn(`demo/${name}`, [port])),
      ...kinds.map(({ run }, kind) =>
        ingress(`demo/${ingressOf(kind)}`, `${hostOf(kind)}/ → ${run === impatient ? "slow" : "quick"}:80`, {
          "ssl-redirect": "false",
        }),
      ),
    ),
  },
  flags: ["--configmap=demo/settings", "--sync-rate-limit=100"],
})

/** Workers killed so far. */
let kills = 0
const rows: (string | number)[][] = []
let isExact = true
await phase("nginx reloads every second", total, reload)
await phase("a worker is killed every second", total / 10, kill)
const save = total < 1_000_000 ? print : write
save({
  name: "counted-requests",
  title: "Requests, counted by clients and by wick",
  method: `wick with four workers and manifests; ${kinds.length} kinds of clients at once, with an Ingress each, until all have made their share of the requests. \`counted\` is the sum of \`nginx_ingress_controller_requests\` of that Ingress. A request without an answer (its worker was killed) may have been counted or not; one of a client that goes away is never answered, and is counted with the status 499. A worker that is killed between an answer and its count takes that request with it: one for each of its connections at most.`,
  columns: ["meanwhile", "clients", "answered", "without an answer", "counted", "difference"],
  rows,
  remarks: [isExact ? "No count differs by more than that." : "**Some counts differ by more than that.**"],
})
if (!isExact) process.exitCode = 1

async function phase(
  name: string,
  requests: number,
  disturb: (round: number) => Promise<void>,
): Promise<void> {
  const before = await Promise.all(kinds.map((_, kind) => counted(kind)))
  let isOver = false
  const disturbing = (async () => {
    for (let round = 1; !isOver; round += 1) await disturb(round)
  })()
  const work = kinds.map(({ share, run }, kind) => run(hostOf(kind), Math.round(requests * share)))
  const tallies = await Promise.all(work)
  isOver = true
  await disturbing
  for (const [kind, tally] of tallies.entries()) await compare(name, kind, tally, before[kind] ?? 0)
}

async function compare(name: string, kind: number, { answered, lost }: Tally, before: number): Promise<void> {
  const slack = kills * connections
  const isWithin = (count: number) => count >= answered - slack && count <= answered + lost
  let count = 0
  const settled = async () => {
    count = (await counted(kind)) - before
    return isWithin(count)
  }
  await until("the counts to come in", settled, 10_000).catch(() => {
    isExact = false
  })
  rows.push([name, kinds[kind]?.name ?? "", answered, lost, count, count - answered])
}

async function counted(kind: number): Promise<number> {
  return sumOf(await scrape(wick), "requests", { ingress: ingressOf(kind) })
}

async function reload(round: number): Promise<void> {
  wick.write("settings.yaml", settingsFile(round))
  await pause(1000)
}

async function kill(): Promise<void> {
  kills += 1
  signal(wick.workers()[0] ?? 0, "SIGKILL")
  await pause(1000)
}

function settingsFile(round: number): string {
  return manifest(
    settings("demo/settings", { "worker-processes": "4", "keep-alive": String(60 + (round % 10)) }),
  )
}

function plain(keepAlive: boolean): Run {
  return async (host, requests) => {
    const question = () => ({ host })
    const { statuses, lost } = await startLoad({
      port: wick.port,
      connections,
      keepAlive,
      requests,
      question,
    }).done
    return { answered: sum(statuses.values()), lost: lost.length }
  }
}

/** A new connection now and then, as after a reload. */
function encrypted(protocol: "h1" | "h2"): Run {
  return async (host, requests) => {
    const tally = { answered: 0, lost: 0 }
    while (tally.answered + tally.lost < requests) {
      try {
        await using client = await TlsClient.connect(wick.httpsPort, { servername: host, protocol })
        for (let isLast = false; !isLast && tally.answered + tally.lost < requests; ) {
          const { headers } = await client.ask({ host })
          tally.answered += 1
          isLast = client.isClosed || headers.connection === "close"
        }
      } catch (error) {
        if (!isUntouched(error)) tally.lost += 1
      }
    }
    return tally
  }
}

/** The server says that it has not touched the request. Source: RFC 9113, 8.7. */
function isUntouched(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return (
    code === "ERR_HTTP2_GOAWAY_SESSION" ||
    error instanceof IdleClosed ||
    String(error).includes("REFUSED_STREAM")
  )
}

/** Each sends its request, and goes away before there is an answer. To nginx it is answered, with 499. */
async function impatient(host: string, requests: number): Promise<Tally> {
  const tally = { answered: 0, lost: 0 }
  for (let n = 0; n < requests; n += 1) {
    const socket = connect(wick.port, "127.0.0.1")
    socket.on("error", () => {})
    await once(socket, "connect")
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await pause(50)
    tally[socket.closed ? "lost" : "answered"] += 1
    socket.destroy()
  }
  return tally
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((before, number) => before + number, 0)
}

// Sends the requests of tests, and holds what came of them against what they expect. Each test comes from an address of its own, by which the lines of
// the error log are told apart, so that many go side by side.
import { connect } from "node:net"
import type { Nginx } from "../../../harness/nginx.ts"
import type { Case, Expected, Stage } from "./cases.ts"

/** What one test came to: no faults, if it passed. */
export interface Outcome {
  readonly name: string
  readonly faults: readonly string[]
  /** Of each of its requests: 0 if the connection was closed without an answer, 403 if that was because a rule blocked what the backend had answered. */
  readonly statuses: readonly number[]
}

/** What was seen of a request. */
interface Seen {
  readonly status: number
  readonly log: string
  readonly ids: ReadonlySet<number>
}

const sideBySide = 4

export async function run(nginx: Nginx, cases: readonly Case[]): Promise<Outcome[]> {
  let last = 0
  const sent = cases.map(({ name, stages }) => ({
    name,
    stages: stages.map((stage) => ({ stage, client: addressOf(++last), status: 0 })),
  }))
  await eachLimited(
    sent.flatMap(({ stages }) => stages),
    async (one) => {
      one.status = await statusOf(nginx.port, one.client, one.stage.bytes)
    },
  )
  const logs = linesByClient(nginx.errorLog())
  return sent.map(({ name, stages }) => ({
    name,
    faults: stages.flatMap(({ stage, client, status }) =>
      faultsOf(stage, seen(status, logs.get(client) ?? [])),
    ),
    statuses: stages.map(({ client, status }) => decisionOf(status, logs.get(client) ?? [])),
  }))
}

/** Debian's connector has sent the head of the answer when the body is judged, and breaks the connection then; wick has not. */
function decisionOf(status: number, lines: readonly string[]): number {
  return status === 0 && lines.some((line) => line.includes("Access denied with code 403")) ? 403 : status
}

const addressOf = (at: number) => `127.${1 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`

async function eachLimited<T>(items: readonly T[], does: (item: T) => Promise<void>): Promise<void> {
  const left = [...items].reverse()
  const one = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await does(item)
  }
  await Promise.all(Array.from({ length: sideBySide }, one))
}

function statusOf(port: number, localAddress: string, bytes: Buffer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  let head = ""
  const socket = connect({ host: "127.0.0.1", port, localAddress })
  socket.on("data", (data) => (head = head.length > 12 ? head : head + data.toString("latin1")))
  // nginx may close before it has read all.
  socket.on("error", () => {})
  socket.on("close", () => resolve(Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1] ?? (head === "" ? 0 : 200))))
  socket.write(bytes)
  return promise
}

function linesByClient(log: string): Map<string, string[]> {
  const lines = new Map<string, string[]>()
  for (const line of log.split("\n")) {
    const client = /, client: ([\d.]+)/.exec(line)?.[1]
    if (client === undefined) continue
    const known = lines.get(client)
    if (known === undefined) lines.set(client, [line])
    else known.push(line)
  }
  return lines
}

function seen(status: number, lines: readonly string[]): Seen {
  const log = lines.join("\n")
  return { status, log, ids: new Set([...log.matchAll(/\[id "(\d+)"\]/g)].map(([, id]) => Number(id))) }
}

function faultsOf({ expected }: Stage, seen: Seen): string[] {
  return [...statusFaults(expected, seen), ...logFaults(expected, seen)]
}

function statusFaults({ status, mayFail }: Expected, seen: Seen): string[] {
  if (status === undefined || status === seen.status || (mayFail && seen.status === 0)) return []
  return [`status ${seen.status} instead of ${status}`]
}

function logFaults({ ids, noIds, match, noMatch }: Expected, { status, log, ids: named }: Seen): string[] {
  return [
    ...ids.filter((id) => !named.has(id)).map((id) => `${id} is not in the log (status ${status})`),
    ...noIds.filter((id) => named.has(id)).map((id) => `${id} is in the log`),
    ...(match === undefined || match.test(log) ? [] : [`${match} is not in the log`]),
    ...(noMatch?.test(log) ? [`${noMatch} is in the log`] : []),
  ]
}

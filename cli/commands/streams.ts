import type { InForce } from "../../controller/inspect/in-force.ts"
import { backendLines } from "../../controller/inspect/notes.ts"
import {
  countersText,
  listNotes,
  type ServedName,
  servedNames,
  streamNotes,
  streamTimes,
} from "../../controller/inspect/stream-notes.ts"
import { refusedSessions, type StreamCounters } from "../../controller/model/stream-counters.ts"
import { streamName } from "../../controller/model/stream-listener.ts"
import { Failure } from "../../controller/support/failure.ts"
import { type Command, withRunning } from "./command.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

type Stream = Awaited<ReturnType<InForce["streams"]>>[number]

const head = [
  "PORT",
  "NAME",
  "BACKEND",
  "SERVICE",
  "ASKED BY",
  "OPEN",
  "SESSIONS",
  "FAILED",
  "REFUSED",
  "NOTES",
]
const wideColumns = ["SERVICE", "ASKED BY"]

export const streams: Command = {
  name: "streams",
  description: [
    "Lists the ports of TCP and UDP services, one line for each Service that one leads to, or shows one of them: tcp:5432, udp:53, or the number alone.",
    "Sessions are counted since nginx was started: FAILED reached no endpoint, REFUSED were closed before one was chosen.",
    "With --output wide: the Services, and the ConfigMaps that ask for them, too. With --json: the records in force, as the control API shows them (docs/wire.md), with what was counted.",
  ],
  formats: ["wide", "name"],
  run: (asked, terminal) =>
    withRunning(asked, async (inForce) => {
      const [wanted] = asked.operands
      const found = await chosen(inForce, wanted)
      if (asked.format === "name")
        return writeLines(
          terminal,
          found.map(({ name }) => printable(name)),
        )
      const counters = await countersByName(inForce)
      if (asked.json)
        writeJson(
          terminal,
          found.map((stream) => withCounters(stream, counters)),
        )
      else if (wanted === undefined)
        writeLines(terminal, list(found, counters, asked.format === "wide", terminal))
      else for (const stream of found) writeLines(terminal, await detailed(stream, counters, inForce))
    }),
}

/** @throws Failure `nothing` */
async function chosen(inForce: InForce, wanted: string | undefined): Promise<readonly Stream[]> {
  const all = await inForce.streams()
  const found = all.filter(
    ({ name }) =>
      wanted === undefined || [name, name.replace(/^\w+:/, ""), name.replace(/^.*:/, "")].includes(wanted),
  )
  if (found.length > 0) return found
  if (wanted === undefined) throw new Failure("nothing", "There is no port of a TCP or UDP service in force")
  throw new Failure("nothing", `There is no port "${wanted}" in force: wick streams lists them`)
}

async function countersByName(inForce: InForce): Promise<ReadonlyMap<string, StreamCounters>> {
  return new Map((await inForce.streamCounters()).map((counted) => [streamName(counted), counted]))
}

function withCounters(stream: Stream, counters: ReadonlyMap<string, StreamCounters>) {
  const { protocol: _, address: __, port: ___, ...counted } = counters.get(stream.name) ?? {}
  return counters.has(stream.name) ? { ...stream, counters: counted } : stream
}

function list(
  all: readonly Stream[],
  counters: ReadonlyMap<string, StreamCounters>,
  isWide: boolean,
  terminal: Terminal,
): string[] {
  const rows = all.flatMap((stream) => rowsOf(stream, counters.get(stream.name)))
  const left = isWide ? [] : wideColumns
  const shown = [head, ...rows].map((row) => row.filter((_, at) => !left.includes(head[at] ?? "")))
  const [title = "", ...lines] = aligned(shown)
  return [paint(terminal, "bold", title), ...lines]
}

/** What was counted stands once. */
function rowsOf(stream: Stream, counters: StreamCounters | undefined): string[][] {
  const counts = counters === undefined ? ["-", "-", "-", "-"] : countCells(counters)
  const notes = [...listNotes(stream), ...streamNotes(stream)]
  return servedNames(stream).map(({ host = "-", backend, service, tls }, at) => [
    stream.name,
    host,
    backend,
    service || "-",
    stream.source ?? "-",
    ...(at === 0 ? counts : counts.map(() => "")),
    [...tls, ...(at === 0 ? notes : [])].join("; "),
  ])
}

function countCells(counters: StreamCounters): string[] {
  const { sessions, ended, failed } = counters
  return [sessions - ended, sessions, failed, refusedSessions(counters)].map(String)
}

async function detailed(
  stream: Stream,
  counters: ReadonlyMap<string, StreamCounters>,
  inForce: InForce,
): Promise<string[]> {
  const counted = counters.get(stream.name)
  const served = await Promise.all(servedNames(stream).map((name) => servedLines(name, inForce)))
  const notes = [...listNotes(stream), ...streamNotes(stream), ...streamTimes(stream)]
  return [
    `${stream.name}${stream.source === undefined ? "" : `, asked for by ${stream.source}`}`,
    ...served.flat(),
    ...notes.map((note) => `  ${note}`),
    `  ${counted === undefined ? "nobody has come yet" : countersText(counted)}`,
  ].map(printable)
}

async function servedLines({ host, backend, service, tls }: ServedName, inForce: InForce): Promise<string[]> {
  const found = await inForce.backend(backend)
  const lines = found === undefined ? [`${backend} is not in force`] : backendLines(found)
  const title =
    host === undefined ? [] : [`${host === "_" ? "all other names" : host}${service && `, ${service}`}`]
  return [...title, ...lines, ...tls].map((line) => `  ${line}`)
}

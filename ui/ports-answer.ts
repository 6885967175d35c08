import { listNotes, type ServedName, servedNames, streamNotes } from "../controller/inspect/stream-notes.ts"
import { refusedSessions, type StreamCounters } from "../controller/model/stream-counters.ts"
import { comparePorts, parseStreamName, streamName } from "../controller/model/stream-listener.ts"
import { streamFields } from "../controller/output/control/wire-route.ts"
import type { Page, ShownPort } from "./api.ts"
import { backendsOf, liveOf } from "./live-index.ts"
import { hasWords, type Question, type SortKeys } from "./question.ts"
import type { Sources } from "./sources.ts"

/** Those of TCP first, by number. @throws Failure `bad-question` */
export async function portsAnswer(question: Question, sources: Sources): Promise<Page<ShownPort>> {
  const { words } = question
  const live = liveOf(sources)
  const { byName } = backendsOf(live)
  const counters = await countersOf(sources)
  const endpoints = ({ backend }: ServedName) => byName.get(backend)?.endpoints.length
  const all = live.streams.map((stream): ShownPort => {
    const posted = streamFields(stream)
    const counted = counters.get(stream.name)
    const served = servedNames(posted)
    const tls = new Set(served.flatMap((name) => name.tls))
    return {
      name: stream.name,
      ...parseStreamName(stream.name),
      served: served.map((name) => withEndpoints(name, endpoints(name))),
      source: stream.source ?? "",
      notes: [...tls, ...listNotes(posted), ...streamNotes(posted)],
      ...(counted && { sessions: sessionsOf(counted) }),
    }
  })
  const found = all.filter((port) => hasWords(words, ...textsOf(port))).sort(comparePorts)
  return question.page(question.sorted(found, keys), (port) => port)
}

async function countersOf({ plane }: Pick<Sources, "plane">): Promise<ReadonlyMap<string, StreamCounters>> {
  return new Map((await plane.read.streamCounters()).map((counted) => [streamName(counted), counted]))
}

function withEndpoints(
  { tls: _, ...name }: ServedName,
  endpoints: number | undefined,
): ShownPort["served"][number] {
  return { ...name, ...(endpoints !== undefined && { endpoints }) }
}

function sessionsOf(counters: StreamCounters): NonNullable<ShownPort["sessions"]> {
  const { sessions: total, ended, failed, receivedBytes, sentBytes } = counters
  return { total, open: total - ended, failed, refused: refusedSessions(counters), receivedBytes, sentBytes }
}

function textsOf(port: ShownPort): readonly string[] {
  const served = port.served.flatMap(({ host = "", backend, service }) => [host, backend, service])
  return [port.name, port.source, ...served]
}

const keys: SortKeys<ShownPort> = {
  port: ({ port }) => port,
  service: ({ served }) => served[0]?.service ?? "",
  open: ({ sessions }) => sessions?.open ?? -1,
  sessions: ({ sessions }) => sessions?.total ?? -1,
  failed: ({ sessions }) => sessions?.failed ?? -1,
  refused: ({ sessions }) => sessions?.refused ?? -1,
  bytes: ({ sessions }) => (sessions ? sessions.receivedBytes + sessions.sentBytes : -1),
}

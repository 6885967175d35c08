import type { Concerned, StandingProblem } from "../model/standing-problem.ts"
import type { StreamCounters } from "../model/stream-counters.ts"
import { streamName } from "../model/stream-listener.ts"
import type { PostedStream } from "../output/control/posted.ts"
import { type Verdict, verdictOn } from "./client-verdict.ts"
import type { BackendInForce } from "./in-force.ts"
import { type ServedName, servedNames } from "./stream-notes.ts"
import type { StreamQuestion } from "./stream-question.ts"

/** What serves connections, or datagrams, of a port. This is what `wick explain --json` prints of `tcp://` and `udp://`. */
export interface StreamExplanation {
  readonly request: StreamQuestion
  readonly outcome: StreamOutcome
  /** absent: nothing is known of the port */
  readonly stream?: PostedStream
  readonly taken?: ServedName & { readonly because: string }
  /** other names of the port */
  readonly notTaken: readonly ServedName[]
  /** by its lists; absent as `stream` */
  readonly checks?: StreamChecks
  /** absent: it is not in force */
  readonly backend?: BackendInForce
  /** what is wrong with what serves it, the worst first; absent: no controller says */
  readonly problems?: readonly StandingProblem[]
  /** absent: nobody has come yet */
  readonly counters?: StreamCounters
}

/** The access checks of a stream. */
interface StreamChecks {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** ids of lists that are not in force: then nobody may */
  readonly missing: readonly string[]
  /** absent: nobody was asked about */
  readonly client?: Verdict
}

type StreamOutcome = { readonly kind: "proxied" } | { readonly kind: "closed"; readonly because: string }

/** What has to be asked of what runs. */
export interface StreamSources {
  readonly stream: (name: string) => Promise<PostedStream | undefined>
  readonly streamCounters: () => Promise<readonly StreamCounters[]>
  readonly backend: (name: string) => Promise<BackendInForce | undefined>
  readonly addresses: (id: string) => Promise<readonly string[] | undefined>
  readonly standing: (concerned: Concerned) => Promise<readonly StandingProblem[] | undefined>
}

/** The same as nginx/ingress/src/streams decides it. */
export async function explainStream(
  request: StreamQuestion,
  sources: StreamSources,
): Promise<StreamExplanation> {
  const { protocol, port } = request
  const { name, stream } = await streamOf(request, sources)
  const counters = (await sources.streamCounters()).find((one) => streamName(one) === name)
  const served = stream === undefined ? [] : servedNames(stream)
  const taken = takenOf(served, request.sni)
  const backend = taken && (await sources.backend(taken.backend))
  const checks = stream && (await checksOf(stream, request.client, sources.addresses))
  const problems = await sources.standing({
    port: `${protocol.toUpperCase()} port ${port}`,
    service: taken?.service.replace(/:[^:]*$/, "") ?? "",
  })
  return {
    request,
    outcome: outcomeOf(taken, backend, checks),
    ...(stream && { stream }),
    ...(taken && { taken }),
    notTaken: served.filter((name) => name.host !== taken?.host),
    ...(checks && { checks }),
    ...(backend && { backend }),
    ...(problems && { problems }),
    ...(counters && { counters }),
  }
}

/** That of the address, else that of all addresses of the port. */
async function streamOf({ protocol, address, port }: StreamQuestion, { stream }: StreamSources) {
  const own = address === undefined ? undefined : await stream(streamName({ protocol, address, port }))
  const name = own?.name ?? streamName({ protocol, port })
  return { name, stream: own ?? (await stream(name)) }
}

function takenOf(served: readonly ServedName[], sni: string | undefined): StreamExplanation["taken"] {
  const [only] = served
  if (only !== undefined && only.host === undefined) return { ...only, because: "for every client" }
  for (const [host, because] of candidates(sni)) {
    const found = served.find((name) => name.host === host)
    if (found !== undefined) return { ...found, because }
  }
  return undefined
}

/** Names that may serve a client, the best first: exact, a wildcard for one label, the longest for any number of labels, all others. */
function candidates(sni: string | undefined): readonly (readonly [host: string, because: string])[] {
  if (sni === undefined) return [["_", "clients that ask for no name"]]
  const [, ...labels] = sni.split(".")
  const rests = labels.map((_, at) => labels.slice(at).join("."))
  return [
    [sni, "the name itself"],
    ...rests.slice(0, 1).map((rest) => [`*.${rest}`, "a wildcard for its first label"] as const),
    ...rests.map((rest) => [`**.${rest}`, "a wildcard for any number of labels"] as const),
    ["_", `no other name fits "${sni}"`],
  ]
}

async function checksOf(
  { allow: allowId, deny: denyId }: PostedStream,
  client: string | undefined,
  addresses: StreamSources["addresses"],
): Promise<StreamChecks> {
  const [allow, deny] = await Promise.all([allowId, denyId].map((id) => (id ? addresses(id) : undefined)))
  const lists = { ...(allow && { allow }), ...(deny && { deny }) }
  const more = { whereabouts: [], asksForPassword: false, asksService: false, satisfy: "all" } as const
  const deciding = { ...lists, ...more }
  const missing = [...(allowId && !allow ? [allowId] : []), ...(denyId && !deny ? [denyId] : [])]
  return { ...lists, missing, ...(client && { client: verdictOn({ address: client }, deciding) }) }
}

function outcomeOf(
  taken: ServedName | undefined,
  backend: BackendInForce | undefined,
  checks: StreamChecks | undefined,
): StreamOutcome {
  const closed = (because: string): StreamOutcome => ({ kind: "closed", because })
  if (checks === undefined) return closed("nothing is known of the port")
  const { missing, client } = checks
  if (missing.length > 0) return closed(`address list ${missing[0]} is not in force`)
  if (taken === undefined) return closed("the client asks for no server name that is served")
  if (client?.status !== undefined) return closed(`${client.address} is not let in, ${client.because}`)
  if (backend === undefined) return closed(`backend ${taken.backend} is not in force`)
  return backend.endpoints.length === 0
    ? closed(`backend ${taken.backend} has no endpoint`)
    : { kind: "proxied" }
}

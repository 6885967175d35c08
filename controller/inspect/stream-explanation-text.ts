import { counted } from "../support/counted.ts"
import { problemLines } from "./explanation-facts.ts"
import { networks } from "./networks.ts"
import { algorithmOf, backendLines } from "./notes.ts"
import type { StreamExplanation } from "./stream-explanation.ts"
import { countersText, streamNotes, streamTimes } from "./stream-notes.ts"
import type { StreamQuestion } from "./stream-question.ts"

/** Sentences without their dots. */
export function streamHeadline({ request, outcome, taken }: StreamExplanation): string {
  const asked = portText(request)
  return outcome.kind === "proxied"
    ? `${asked} goes to ${taken?.service || taken?.backend}`
    : `${asked} is closed at once`
}

export function streamGets({ request, outcome, backend }: StreamExplanation): string {
  if (outcome.kind === "closed") {
    const what = request.protocol === "udp" ? "Its datagrams are dropped" : "The connection is closed at once"
    return `${what}: ${outcome.because}`
  }
  if (backend === undefined) return ""
  return `The client gets one of ${counted(backend.endpoints.length, "endpoint")}, chosen by ${algorithmOf(backend)}`
}

function portText({ protocol, port, sni }: StreamQuestion): string {
  return `${protocol.toUpperCase()} port ${port}${sni === undefined ? "" : `, server name ${sni},`}`
}

/** What there is to say of it, each behind its name; a name of "" goes on with the one before. */
export function streamFacts(explanation: StreamExplanation): string[][] {
  const { stream, taken, notTaken, checks, backend, problems, counters } = explanation
  const { allow, deny, client } = checks ?? {}
  const sections: readonly (readonly [name: string, lines: readonly string[]])[] = [
    ["name", taken?.host === undefined ? [] : [`${taken.host} (${taken.because})`]],
    ["others", notTaken.map(({ host, backend }) => `${host} to backend ${backend}`)],
    ["tls", taken?.tls ?? []],
    ["asked by", stream?.source === undefined ? [] : [stream.source]],
    [
      "access",
      [...(deny ? [`not for ${networks(deny)}`] : []), ...(allow ? [`only for ${networks(allow)}`] : [])],
    ],
    ["client", client?.address === undefined ? [] : [`${client.address}: ${client.because}`]],
    ["backend", backend === undefined ? [] : backendLines(backend)],
    ["with", stream === undefined ? [] : [...streamNotes(stream), ...streamTimes(stream)]],
    ["sessions", counters === undefined ? [] : [countersText(counters)]],
    ["problems", problems?.flatMap(problemLines) ?? ["not known: no controller answers"]],
  ]
  return sections.flatMap(([name, lines]) => lines.map((line, at) => [at === 0 ? name : "", line]))
}

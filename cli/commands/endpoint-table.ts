import type { BackendInForce } from "../../controller/inspect/in-force.ts"
import { endpointText } from "../../controller/inspect/notes.ts"
import type { EndpointCounts } from "../../controller/model/endpoint-counts.ts"
import type { EndpointState } from "../../controller/model/endpoint-state.ts"
import {
  type KnownEndpoint,
  type KnownEndpoints,
  knownByEndpoint,
} from "../../controller/model/known-endpoints.ts"
import { hostPort } from "../../controller/support/address.ts"

// What is known of a backend's endpoints, in columns; of what nobody counts or learns there is none.

/** An endpoint of a record, and what is known of it. */
export interface ShownEndpoint extends KnownEndpoint {
  readonly endpoint: BackendInForce["endpoints"][number]
}

type Column = readonly [head: string, textOf: (shown: ShownEndpoint) => string]

export function shownEndpoints(backend: BackendInForce, known: Partial<KnownEndpoints>): ShownEndpoint[] {
  const knownOf = knownByEndpoint(known)
  return backend.endpoints.map((endpoint) => ({
    endpoint,
    ...knownOf(hostPort(endpoint.address, endpoint.port)),
  }))
}

/** Rows, the head first; undefined when nothing is known but the endpoints themselves. */
export function endpointRows(shown: readonly ShownEndpoint[], isCounted: boolean): string[][] | undefined {
  const isKnown = (what: keyof EndpointState) => shown.some(({ state }) => state?.[what] !== undefined)
  const columns: Column[] = [
    ...(isCounted ? countColumns : []),
    ...(isKnown("running") ? [runningColumn] : []),
    ...(isKnown("scoreSeconds") ? [scoreColumn] : []),
  ]
  const hasNotes = shown.some((one) => stateNotes(one.state).length > 0)
  if (columns.length === 0 && !hasNotes) return undefined
  const all: Column[] = [endpointColumn, ...columns, ...(hasNotes ? [notesColumn] : [])]
  return [all.map(([head]) => head), ...shown.map((one) => all.map(([, textOf]) => textOf(one)))]
}

const endpointColumn: Column = ["ENDPOINT", ({ endpoint }) => endpointText(endpoint)]

const countColumns: readonly Column[] = [
  ["ATTEMPTS", ({ counts }) => String(counts?.attempts ?? 0)],
  ["FAILED", ({ counts }) => (counts ? failuresText(counts) : "-")],
  ["RESPONSE", ({ counts }) => secondsText(meanSeconds(counts))],
]

const runningColumn: Column = ["RUNNING", ({ state }) => String(state?.running ?? "-")]
const scoreColumn: Column = ["EWMA", ({ state }) => secondsText(state?.scoreSeconds || undefined)]
const notesColumn: Column = ["NOTES", ({ state }) => stateNotes(state).join("; ")]

/** What is unusual about an endpoint at this moment. */
export function stateNotes(state: EndpointState | undefined): string[] {
  const { failures = 0, ejectedMs = 0, warmingMs = 0 } = state ?? {}
  return [
    ...(ejectedMs > 0 ? [`ejected for ${Math.ceil(ejectedMs / 1000)} s more`] : []),
    ...(failures > 0 ? [`${failures} failed in a row`] : []),
    ...(warmingMs > 0 ? [`warms up for ${Math.ceil(warmingMs / 1000)} s more`] : []),
  ]
}

/** `12 (1.2 %): connect 10, timeout 2`; `-` for none. */
function failuresText({ attempts, failures }: EndpointCounts): string {
  const count = failedAttempts({ failures })
  if (count === 0) return "-"
  const causes = Object.entries(failures).map(([cause, times]) => `${cause} ${times}`)
  return `${count} (${percent(count / attempts)}): ${causes.join(", ")}`
}

/** Attempts that failed, whatever the cause. */
export function failedAttempts({ failures }: Pick<EndpointCounts, "failures">): number {
  return Object.values(failures).reduce((sum, times) => sum + times, 0)
}

/** How long responses took to begin; undefined: there was none. */
function meanSeconds(counts: EndpointCounts | undefined): number | undefined {
  return counts && counts.responses > 0 ? counts.responseSeconds / counts.responses : undefined
}

/** `1.2 %`, `25 %` */
export function percent(share: number): string {
  const percents = share * 100
  return `${percents >= 10 || percents === 0 ? Math.round(percents) : Number(percents.toPrecision(2))} %`
}

/** `0.4 ms`, `120 ms`, `2.1 s`; `-`: not known. */
export function secondsText(seconds: number | undefined): string {
  if (seconds === undefined) return "-"
  const ms = seconds * 1000
  if (ms < 1) return `${Number(ms.toPrecision(1))} ms`
  return ms < 1000 ? `${Number(ms.toPrecision(3))} ms` : `${Number(seconds.toPrecision(3))} s`
}

import type { VNode } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { BackendDetails, EndpointCounts, EndpointState, ShownEndpoint } from "../api.ts"
import { html } from "./html.ts"
import { Badge, Pager, Table } from "./parts.ts"
import { Plot } from "./plot.ts"
import { countText, msText, numberText, percentText, rateText, spanText } from "./texts.ts"

// Endpoints with what happens to them: counted by nginx where it is told to, and known to the balancer where the backend's settings ask for it.

/** What was counted of the backend between two answers. */
interface Step {
  readonly atMs: number
  readonly attempts: number
  readonly failed: number
  /** per second, by address */
  readonly rates: ReadonlyMap<string, number>
}

/** A quarter of an hour. */
const maxSteps = 450

interface Column {
  readonly title: string
  readonly cell: (endpoint: ShownEndpoint, rate: number | undefined) => unknown
}

export function Endpoints({ of: backend }: { of: BackendDetails }): VNode {
  const steps = useSteps(backend)
  const { endpoints, isCounted } = backend
  if (endpoints.total === 0)
    return html`<section>
      <h2>Endpoints</h2>
      <p><${Badge} severity="error" text="no endpoint: requests are answered 503" /></p>
    </section>`
  const columns = columnsFor(backend)
  const rates = steps.at(-1)?.rates
  return html`<section>
    <h2>Endpoints</h2>
    ${isCounted && html`<${Plots} steps=${steps} />`}
    <${Pager} of=${endpoints} noun="endpoint" />
    <${Table} caption="Endpoints" columns=${columns.map(({ title }) => title)}>
      ${endpoints.items.map((endpoint) => html`<tr key=${endpoint.address}>${columns.map(({ title, cell }) => html`<td class=${title.startsWith("#") ? "number" : ""}>${cell(endpoint, rates?.get(endpoint.address))}</td>`)}</tr>`)}
    <//>
    ${!isCounted && html`<p class="quiet">Attempts, failures and times of each endpoint are counted with <code>--metrics-per-endpoint</code> and <code>--enable-metrics</code>.</p>`}
  </section>`
}

function Plots({ steps }: { steps: readonly Step[] }): VNode {
  const times = steps.map(({ atMs }) => atMs)
  return html`<div class="plots">
    <${Plot} title="Attempts per second" times=${times} values=${steps.map(({ attempts }) => attempts)} text=${rateText} />
    <${Plot} title="Failed per second" times=${times} values=${steps.map(({ failed }) => failed)} text=${rateText} />
  </div>`
}

/** Those of which something is known. */
function columnsFor({ endpoints: { items }, isCounted }: BackendDetails): readonly Column[] {
  const isKnown = (what: keyof EndpointState) => items.some(({ state }) => state?.[what] !== undefined)
  const when = (isThere: boolean, column: Column) => (isThere ? [column] : [])
  return [
    { title: "Address", cell: ({ address }) => html`<span class="mono">${address}</span>` },
    ...when(items.some(({ state }) => isUnusual(state)) || isCounted || isKnown("ejectedMs"), {
      title: "State",
      cell: ({ state }) => stateText(state),
    }),
    ...(isCounted ? countColumns : []),
    ...when(isKnown("running"), { title: "#Running", cell: ({ state }) => state?.running ?? "–" }),
    ...when(isKnown("scoreSeconds"), {
      title: "#EWMA",
      cell: ({ state }) => (state?.scoreSeconds ? msText(state.scoreSeconds * 1000) : "–"),
    }),
    ...when(isKnown("weight"), { title: "#Weight", cell: ({ state }) => state?.weight ?? "–" }),
    ...when(
      items.some(({ zone }) => zone !== undefined),
      { title: "Zone", cell: ({ zone }) => zone },
    ),
  ]
}

const countColumns: readonly Column[] = [
  { title: "#Per second", cell: (_, rate) => (rate === undefined ? "–" : rateText(rate)) },
  { title: "#Attempts", cell: ({ counts }) => numberText(counts?.attempts ?? 0) },
  { title: "#Failed", cell: ({ counts }) => failedText(counts) },
  { title: "#Response", cell: ({ counts }) => responseText(counts) },
]

function failedText(counts: EndpointCounts | undefined): unknown {
  const failed = failedOf(counts)
  if (counts === undefined || failed === 0) return "0"
  const causes = Object.entries(counts.failures).map(([cause, times]) => `${cause} ${numberText(times)}`)
  return html`<span title=${causes.join(", ")}>${numberText(failed)} <span class="quiet">(${percentText(failed / counts.attempts)}: ${causes.join(", ")})</span></span>`
}

/** How long responses took to begin, on the average. */
function responseText(counts: EndpointCounts | undefined): string {
  if (counts === undefined || counts.responses === 0) return "–"
  return msText((counts.responseSeconds * 1000) / counts.responses)
}

function stateText(state: EndpointState | undefined): unknown {
  const { ejectedMs = 0, warmingMs = 0, failures = 0 } = state ?? {}
  if (ejectedMs > 0) return html`<${Badge} severity="error" text=${`ejected, ${spanText(ejectedMs)} more`} />`
  if (failures > 0)
    return html`<${Badge} severity="warning" text=${`${countText(failures, "failure")} in a row`} />`
  if (warmingMs > 0) return html`<${Badge} severity="info" text=${`warms up, ${spanText(warmingMs)} more`} />`
  return html`<span class="quiet">in use</span>`
}

function isUnusual({ ejectedMs = 0, warmingMs = 0, failures = 0 }: Partial<EndpointState> = {}): boolean {
  return ejectedMs + warmingMs + failures > 0
}

function failedOf(counts: EndpointCounts | undefined): number {
  return Object.values(counts?.failures ?? {}).reduce((sum, times) => sum + times, 0)
}

/** What happened between the answers since the page was opened. */
function useSteps(backend: BackendDetails): readonly Step[] {
  const [{ steps }, setSeen] = useState<{ last?: BackendDetails; steps: readonly Step[] }>({ steps: [] })
  useEffect(() => {
    setSeen(({ last, steps }) => {
      const step = last?.name === backend.name ? stepOf(last, backend) : undefined
      const before = last?.name === backend.name ? steps : []
      return { last: backend, steps: step === undefined ? before : [...before, step].slice(-maxSteps) }
    })
  }, [backend])
  return steps
}

/** Undefined when nginx began to count anew in between. */
function stepOf(before: BackendDetails, now: BackendDetails): Step | undefined {
  const seconds = (now.nowMs - before.nowMs) / 1000
  const known = new Map(before.endpoints.items.map(({ address, counts }) => [address, counts]))
  let failed = 0
  const rates = new Map<string, number>()
  for (const { address, counts } of now.endpoints.items) {
    if (!known.has(address)) continue
    const attempts = (counts?.attempts ?? 0) - (known.get(address)?.attempts ?? 0)
    if (attempts < 0 || seconds <= 0) return undefined
    rates.set(address, attempts / seconds)
    failed += (failedOf(counts) - failedOf(known.get(address))) / seconds
  }
  const attempts = [...rates.values()].reduce((sum, rate) => sum + rate, 0)
  return { atMs: now.nowMs, attempts, failed, rates }
}

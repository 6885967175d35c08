import type { BackendState, EndpointState } from "../../model/endpoint-state.ts"
import type { Identity } from "../../model/identity.ts"
import { type Family, printLabels } from "./series.ts"

/** What the balancer knows of endpoints, in parts. @throws Failure when nginx does not answer */
export type ReadEndpoints = () => AsyncIterable<readonly BackendState[]>

type EndpointMetric = readonly [
  name: string,
  help: string,
  shown: (state: EndpointState) => number | undefined,
]

const gauges: readonly EndpointMetric[] = [
  [
    "wick_endpoint_running",
    "Attempts that run on an endpoint, of backends whose balancing counts them",
    ({ running }) => running,
  ],
  [
    "wick_endpoint_ewma_seconds",
    "Moving average of the time until an endpoint's responses begin, of backends balanced by it",
    ({ scoreSeconds }) => scoreSeconds || undefined,
  ],
  [
    "wick_endpoint_ejected",
    "1 while an endpoint is ejected, as it failed; of backends with outlier ejection",
    ({ ejectedMs }) => ejectedMs && 1,
  ],
]

/** Of endpoints that something is known of. */
export function endpointFamilies(backends: readonly BackendState[], identity: Identity): Family[] {
  const common = printLabels({
    controller_class: identity.controllerClass,
    controller_namespace: identity.namespace,
    controller_pod: identity.pod,
  })
  function* series(shown: EndpointMetric[2]) {
    for (const { name: backend, endpoints } of backends)
      for (const state of endpoints) {
        const value = shown(state)
        if (value !== undefined)
          yield [`${common},${printLabels({ backend, endpoint: state.endpoint })}`, value] as const
      }
  }
  return gauges.map(([name, help, shown]) => ({ name, help, series: series(shown) }))
}

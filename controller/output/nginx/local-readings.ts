import { readFile } from "node:fs/promises"
import type { Capabilities } from "../../model/capabilities.ts"
import type { ControlClient } from "../control/client.ts"
import {
  readFilterCounters,
  readPolicyCounters,
  readShortages,
  readStreamCounters,
  readZones,
} from "../control/counters.ts"
import { endpointPages, readEndpointCounts } from "../control/endpoint-counts.ts"
import { backendStates, readBackendState } from "../control/endpoint-states.ts"
import { requestCountPages } from "../control/request-counts.ts"
import type { RequestSeries } from "../control/request-series.ts"
import type { Shares } from "../control/shares/shares.ts"
import { SpanRing } from "../control/span-ring.ts"
import type { Readings } from "../plane/readings.ts"
import { readFixed, readSecretFile } from "./files.ts"
import { readShownPolicies } from "./policy-files.ts"
import { readResourceUse } from "./resource-use.ts"
import { readStatus } from "./status-page.ts"
import type { Workplace } from "./workplace.ts"

interface Sources {
  readonly workplace: Workplace
  readonly client: ControlClient
  readonly shares: Pick<Shares, "uses">
  /** of nginx */
  readonly version: readonly number[]
  readonly capabilities: Capabilities
  readonly statusPort: number
  /** undefined while there is no master */
  readonly masterPid: () => number | undefined
  /** undefined: requests are not counted */
  readonly series: RequestSeries | undefined
}

/** What the nginx of this machine says of itself: on its control socket, on its status page, in the runtime directory and in /proc. */
export function localReadings({
  workplace,
  client,
  shares,
  version,
  capabilities,
  series,
  ...at
}: Sources): Readings {
  const { layout, filterDigest, counted } = workplace
  return {
    lastFixed: () => readFixed(layout),
    file: (name) => readSecretFile(layout, name),
    defaultCertificate: () => readFile(layout.certificate),
    versions: { nginx: version.join("."), filter: filterDigest },
    capabilities,
    connections: () => readStatus(`http://127.0.0.1:${at.statusPort}/nginx_status`),
    resourceUse: async () => {
      const pid = at.masterPid()
      return pid === undefined ? undefined : readResourceUse(pid)
    },
    zones: () => readZones(client),
    zoneShortages: () => readShortages(client),
    namespaceUse: () => shares.uses(),
    filterCounters: () => readFilterCounters(client),
    policyCounters: () => readPolicyCounters(client),
    streamCounters: () => readStreamCounters(client),
    policies: () => readShownPolicies(layout),
    requestCounts: () => requestCountPages(client),
    endpoints: (backend) => endpointsOf(client, backend),
    endpointStates: () => backendStates(client),
    ...(series && { requestMetrics: (format) => series.pages(format) }),
    ...(counted?.perEndpoint && { endpointMetrics: (format) => endpointPages(client, format) }),
    spans: new SpanRing(client),
  }
}

async function endpointsOf(client: ControlClient, backend: string) {
  const [counts, state] = await Promise.all([
    readEndpointCounts(client, backend).catch(() => undefined),
    readBackendState(client, backend).catch(() => undefined),
  ])
  return { counts, state }
}

import type { Capabilities } from "../../model/capabilities.ts"
import type { ClientConnections } from "../../model/client-connections.ts"
import type { BackendState } from "../../model/endpoint-state.ts"
import type { FilterCounters } from "../../model/filter-counters.ts"
import type { KnownEndpoints } from "../../model/known-endpoints.ts"
import type { MetricFormat } from "../../model/metric-format.ts"
import type { Fixed } from "../../model/model.ts"
import type { PolicyCounters } from "../../model/policy-counters.ts"
import type { ShownPolicy } from "../../model/policy-state.ts"
import type { RequestCount } from "../../model/request-count.ts"
import type { ResourceUse } from "../../model/resource-use.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import type { FinishedSpan } from "../../model/span.ts"
import type { StreamCounters } from "../../model/stream-counters.ts"
import type { NamespaceUse, ZoneFill, ZoneShortages } from "../../model/zone-fill.ts"

/** Metrics as the data plane prints them, cut anywhere. @throws Failure when it does not answer */
type MetricPages = (format: MetricFormat) => AsyncGenerator<Uint8Array>

/** What a data plane says of itself. Unless it says otherwise, a reading has no value while the data plane does not answer, and never rejects. */
export interface Readings {
  /** The fixed half that was in force before this controller began, whichever version of wick brought it. */
  lastFixed(): Promise<Fixed | undefined>
  /** A file that is in force. */
  file(name: string): Promise<SecretFile | undefined>
  /** PEM of the certificate for hosts that have none. @throws when it cannot be read */
  defaultCertificate(): Promise<Buffer>
  readonly versions: PlaneVersions
  readonly capabilities: Capabilities
  connections(): Promise<ClientConnections | undefined>
  resourceUse(): Promise<ResourceUse | undefined>
  zones(): Promise<readonly ZoneFill[]>
  zoneShortages(): Promise<ZoneShortages | undefined>
  /** What namespaces want of the zones, the largest of each zone first. */
  namespaceUse(): readonly NamespaceUse[]
  filterCounters(): Promise<FilterCounters | undefined>
  policyCounters(): Promise<readonly PolicyCounters[]>
  /** Sessions of ports of TCP and UDP; a port that none has come to is not there. */
  streamCounters(): Promise<readonly StreamCounters[]>
  /** The balancing policies, as the controller noted them last. @throws Failure `not-readable` */
  policies(): Promise<readonly ShownPolicy[]>
  /** Requests, in parts. None at all: they are not counted. @throws Failure when the data plane does not answer */
  requestCounts(): AsyncIterable<readonly RequestCount[]>
  /** What was counted and is known of the endpoints of a backend; undefined: nothing. */
  endpoints(backend: string): Promise<KnownEndpoints>
  /** What the balancer knows of all endpoints, in parts. @throws Failure when the data plane does not answer */
  endpointStates(): AsyncIterable<readonly BackendState[]>
  /** Absent: requests are not counted. */
  readonly requestMetrics?: MetricPages
  /** Absent: attempts are not counted by endpoint. */
  readonly endpointMetrics?: MetricPages
  readonly spans: SpanReadings
}

/** What is installed. */
interface PlaneVersions {
  /** of nginx, as 1.26.3 */
  readonly nginx: string
  /** SHA-256 of the filter's file, in hex */
  readonly filter: string
}

/** Finished spans of requests. What is read stays until it is taken. */
export interface SpanReadings {
  /** How much waits, with one span at most. Undefined: there is nothing that could have any. @throws Failure when the data plane does not answer */
  look(): Promise<SpanPage | undefined>
  /** The oldest spans. @throws Failure likewise */
  page(): Promise<SpanPage | undefined>
  /** They need not be kept any longer. @throws Failure likewise */
  take(page: SpanPage): Promise<void>
}

export interface SpanPage {
  /** what says that its spans are taken; goes back as it is */
  readonly mark: string
  readonly spans: readonly FinishedSpan[]
  /** spans in the ring, those of the page among them */
  readonly waiting: number
  /** spans ever recorded, since the data plane was started */
  readonly recorded: number
  /** spans for which there was no room */
  readonly dropped: number
}

import type { InForce } from "../controller/inspect/in-force.ts"
import type { FilterCounters } from "../controller/model/filter-counters.ts"
import type { KnownEndpoints } from "../controller/model/known-endpoints.ts"
import type { Model } from "../controller/model/model.ts"
import type { PolicyCounters } from "../controller/model/policy-counters.ts"
import type { ShownPolicy } from "../controller/model/policy-state.ts"
import type { NamespaceUse, ZoneFill } from "../controller/model/zone-fill.ts"
import type { LastPass } from "../controller/report/history/last-pass.ts"
import type { ReloadHistory } from "../controller/report/history/reload-history.ts"
import type { Instance, Versions } from "./api.ts"
import type { Sampler } from "./sampler.ts"
import type { Traffic } from "./traffic.ts"

/** What the controller knows and what its nginx says, for whoever looks. Nothing of it can be changed from here. */
export interface Sources {
  /** in force; undefined before anything is */
  readonly model: () => Model | undefined
  readonly lastPass: Pick<LastPass, "problems" | "observed" | "ended">
  readonly reloads: Pick<ReloadHistory, "kept" | "total">
  readonly sampler: Pick<Sampler, "since">
  readonly instance: () => Instance
  /** why it should get no traffic; undefined: it should */
  readonly trouble: () => string | undefined
  readonly versions: () => Versions
  readonly zones: () => Promise<readonly ZoneFill[]>
  /** the largest of each zone first */
  readonly namespaceUse: () => readonly NamespaceUse[]
  readonly filter: () => Promise<FilterCounters | undefined>
  /** what nginx counts and its balancer knows of the endpoints of a backend; undefined: nothing */
  readonly endpoints: (backend: string) => Promise<KnownEndpoints>
  readonly traffic: Pick<Traffic, "look">
  readonly policyCounters: () => Promise<readonly PolicyCounters[]>
  /** the balancing policies, as the controller noted them last */
  readonly policies: () => Promise<readonly ShownPolicy[]>
  /** PEM of the certificate for hosts that have none */
  readonly defaultCertificate: () => Promise<Buffer>
  /** asks nginx as commands do; to be closed @throws Failure `not-running` */
  readonly inForce: () => Promise<InForce>
}

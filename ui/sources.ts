import type { InForce } from "../controller/inspect/in-force.ts"
import type { DataPlane } from "../controller/output/plane/plane.ts"
import type { LastPass } from "../controller/report/history/last-pass.ts"
import type { ReloadHistory } from "../controller/report/history/reload-history.ts"
import type { Instance, Versions } from "./api.ts"
import type { Sampler } from "./sampler.ts"
import type { Traffic } from "./traffic.ts"

/** What the controller knows and what its nginx says, for the page. Nothing of it can be changed from here. */
export interface Sources {
  readonly plane: Pick<DataPlane, "running" | "read">
  readonly lastPass: Pick<LastPass, "problems" | "observed" | "ended">
  readonly reloads: Pick<ReloadHistory, "kept" | "total">
  readonly sampler: Pick<Sampler, "since">
  readonly instance: () => Instance
  /** why it should get no traffic; undefined: it should */
  readonly trouble: () => string | undefined
  readonly versions: () => Versions
  readonly traffic: Pick<Traffic, "look">
  /** asks nginx as commands do; to be closed @throws Failure `not-running` */
  readonly inForce: () => Promise<InForce>
}

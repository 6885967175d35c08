import type { ServiceAddress } from "../cluster/connect/service-account.ts"
import type { Log } from "../observe/log.ts"
import type { Build, Identity } from "../observe/metrics.ts"
import type { Options } from "../options/flags.ts"

/** What the process gives: nothing here asks the environment. */
export interface World {
  readonly options: Options
  readonly log: Log
  readonly build: Build
  readonly identity: Identity
  /** where Kubernetes tells a Pod that the API server is; "" outside of a cluster */
  readonly service: ServiceAddress
  /** asks for an orderly end: nginx answers what it has begun */
  readonly stop: AbortSignal
  /** asks for the end at once */
  readonly stopNow: AbortSignal
}

import type { DifferencesOf } from "../admission/around.ts"
import type { Options } from "../core/options/flags.ts"
import type { ServiceAddress } from "../input/cluster/connect/service-account.ts"
import type { Identity } from "../model/identity.ts"
import type { Build } from "../report/observe/metrics.ts"
import type { Environment } from "../report/traces/otlp.ts"
import type { Log } from "../support/log.ts"

/** In the place of a commit where there is none. */
export const unknownBuild = "unknown"

/** What the process gives: nothing here asks the environment. */
export interface World {
  readonly options: Options
  readonly log: Log
  readonly build: Build
  readonly identity: Identity
  /** what the environment says of exporters of spans */
  readonly otlp: Environment
  /** loads what the admission webhook warns by */
  readonly differencesOf: () => Promise<DifferencesOf>
  /** where Kubernetes tells a Pod that the API server is; "" outside of a cluster */
  readonly service: ServiceAddress
  /** asks for an orderly end: nginx answers what it has begun */
  readonly stop: AbortSignal
  /** whether `stop` comes from the hook of a Pod that others still lead clients to (`wick wait-shutdown`) */
  readonly isLeaving: () => boolean
  /** asks for the end at once */
  readonly stopNow: AbortSignal
}

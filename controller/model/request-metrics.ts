import type { Identity } from "./identity.ts"

/** Which metrics of requests there are, and what tells their series apart. */
export interface RequestMetrics {
  /** labels of all series */
  readonly identity: Identity
  /** series have the label `host` */
  readonly perHost: boolean
  /** requests for hosts of no Ingress are counted, all as host `_` */
  readonly undefinedHosts: boolean
  /** attempts are counted by endpoint, too */
  readonly perEndpoint: boolean
  /** `2xx` in the place of `200` */
  readonly statusClasses: boolean
  /** metrics that are not collected, without `nginx_ingress_controller_` */
  readonly leftOut: readonly string[]
  /** upper bounds of durations, seconds */
  readonly timeBuckets: readonly number[]
  /** of sizes, bytes */
  readonly lengthBuckets: readonly number[]
  /** of `bytes_sent`, bytes */
  readonly sizeBuckets: readonly number[]
  /** histograms are counted natively, too, but for `bytes_sent` */
  readonly native?: NativeHistograms
}

interface NativeHistograms {
  /** each bucket is so many times as wide as the one before; above 1 */
  readonly factor: number
  /** 0: any number */
  readonly maxBuckets: number
}

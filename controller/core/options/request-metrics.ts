import type { Identity } from "../../model/identity.ts"
import type { RequestMetrics } from "../../model/request-metrics.ts"
import type { Options } from "./flags.ts"

const prefix = "nginx_ingress_controller_"

/** What the flags say about metrics of requests; `undefined`: none are collected. */
export function requestMetrics(options: Options, identity: Identity): RequestMetrics | undefined {
  if (!options.enableMetrics) return undefined
  return {
    identity,
    perHost: options.metricsPerHost,
    undefinedHosts: options.metricsPerUndefinedHost,
    perEndpoint: options.metricsPerEndpoint,
    statusClasses: options.reportStatusClasses,
    leftOut: options.excludeSocketMetrics.map((name) =>
      name.startsWith(prefix) ? name.slice(prefix.length) : name,
    ),
    timeBuckets: options.timeBuckets,
    lengthBuckets: options.lengthBuckets,
    sizeBuckets: options.sizeBuckets,
    ...(options.bucketFactor > 1 && {
      native: { factor: options.bucketFactor, maxBuckets: options.maxBuckets },
    }),
  }
}

import type { RequestMetrics, Site } from "../site.ts"

/** Combinations of a route's labels, a method and a status. ingress-nginx has no limit; 65,536 are 10,000 Ingresses with six each. */
const maxSeries = 65_536

/**
 * Copies of all numbers, so that workers on different processors rarely write to the same cache lines. Always so many: with another number
 * nginx would begin to count anew. What no worker uses takes no memory.
 */
const planes = 4

/** Endpoints whose attempts are counted: 16 MiB of shared memory when all are there, less before. */
const maxEndpoints = 16_384

/** Seconds. Few: each endpoint has them all. */
const endpointBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5]

/** The arguments of `ingress_metrics`; `null`: nothing is counted. */
export function metricFields({ metrics }: Pick<Site, "metrics">): readonly string[] | null {
  if (metrics === undefined) return null
  const { leftOut } = metrics
  const isIn = (name: string) => !leftOut.includes(name)
  const histograms = Object.entries(bucketsOf(metrics)).filter(([name]) => isIn(name))
  return [
    `series=${maxSeries}`,
    `planes=${planes}`,
    `requests=${word(isIn("requests"))}`,
    `host=${word(metrics.perHost)}`,
    `undefined=${word(metrics.undefinedHosts || !metrics.perHost)}`,
    `classes=${word(metrics.statusClasses)}`,
    ...identityFields(metrics),
    ...nativeFields(metrics),
    ...histograms.map(([name, buckets]) => `${name}=${buckets.map(goNumber).join(",")}`),
  ]
}

/** The arguments of `ingress_endpoint_metrics`; `null`: attempts are not counted by endpoint. */
export function endpointMetricFields({ metrics }: Pick<Site, "metrics">): readonly string[] | null {
  if (!metrics?.perEndpoint) return null
  return [
    "zone=backends",
    `series=${maxEndpoints}`,
    `planes=${planes}`,
    `buckets=${endpointBuckets.map(goNumber).join(",")}`,
    ...identityFields(metrics),
  ]
}

function nativeFields({ native }: RequestMetrics): readonly string[] {
  return native === undefined ? [] : [`factor=${native.factor}`, `max_buckets=${native.maxBuckets}`]
}

function identityFields({ identity }: RequestMetrics): readonly string[] {
  return [
    `controller_class=${identity.controllerClass}`,
    `controller_namespace=${identity.namespace}`,
    `controller_pod=${identity.pod}`,
  ]
}

function bucketsOf({ timeBuckets, lengthBuckets, sizeBuckets }: RequestMetrics) {
  return {
    connect_duration_seconds: timeBuckets,
    header_duration_seconds: timeBuckets,
    response_duration_seconds: timeBuckets,
    request_duration_seconds: timeBuckets,
    request_size: lengthBuckets,
    response_size: lengthBuckets,
    bytes_sent: sizeBuckets,
  }
}

function word(is: boolean): string {
  return is ? "on" : "off"
}

/** As Go's client library prints numbers, and so as people's queries have them behind `le=`: `0.005`, `100000`, `1e+06`. */
export function goNumber(value: number): string {
  const [digits = "0", exponent = "0"] = value.toExponential().split("e")
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`
}

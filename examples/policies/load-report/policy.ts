import { Attempt, chance, DECLINE, Endpoints, Request } from "wick-policy"

/**
 * The header in which endpoints report their load (ORCA, as for gRPC and Envoy):
 * `TEXT cpu_utilization=0.3,application_utilization=0.7`, or the same as `JSON {…}`. The operator makes it readable.
 */
const HEADER: string = "endpoint-load-metrics"
/** What an application says of itself is worth more than what its processor shows. */
const METRICS: string[] = ["application_utilization", "cpu_utilization"]

/** Reports older than this say nothing any more. */
const MAX_AGE_MS: u64 = 10_000
/** However busy it says that it is, an endpoint gets one of twenty of its turns: else it could never say that it has recovered. */
const BUSIEST: f64 = 0.95

/** Draws endpoints by weight; one that is 80 % busy takes one in five of its turns. */
export function pick(endpoints: Endpoints, request: Request): i32 {
  for (let draws = 0; draws < 16; draws++) {
    const index = endpoints.byWeight()
    if (index == DECLINE || chance() >= utilization(endpoints, index, request.nowMs)) return index
  }
  return endpoints.byWeight()
}

/** Notes what the endpoint says of its load. */
export function report(endpoints: Endpoints, attempt: Attempt): void {
  const header = attempt.header(HEADER)
  if (header == null) return
  const busy = reported(header)
  if (busy >= 0) endpoints.setOwn(attempt.endpoint, (attempt.nowMs << 16) | (<u64>(busy * 1000)))
}

/** The number of an endpoint: when it reported, in milliseconds, above 16 bits of per mille. */
function utilization(endpoints: Endpoints, index: i32, nowMs: u64): f64 {
  const number = endpoints.own(index)
  if (nowMs - (number >> 16) > MAX_AGE_MS) return 0
  return <f64>(number & 0xffff) / 1000
}

/** From 0 to `BUSIEST`; -1 if the header does not say. */
function reported(header: string): f64 {
  for (let i = 0; i < METRICS.length; i++) {
    const at = header.indexOf(METRICS[i])
    if (at < 0) continue
    const value = parseFloat(
      header
        .slice(at + METRICS[i].length)
        .replace("=", "")
        .replace('":', ""),
    )
    if (value >= 0) return min(value, BUSIEST)
  }
  return -1
}

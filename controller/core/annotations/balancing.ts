import type { LoadBalance } from "../../model/backend.ts"
import { accepted, boolean, integer, oneOf } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, count, template, timeMs, trimmed } from "./parse.ts"

/** Algorithms that other annotations ask for, and which. Named here they are no mistake where that annotation is there too. */
const impliedBy: ReadonlyMap<string, string> = new Map([
  ["chash", "upstream-hash-by"],
  ["chashsubset", "upstream-hash-by-subset"],
  ["sticky_balanced", "affinity"],
  ["sticky_persistent", "affinity"],
])

/** An algorithm's name. What cannot be used is round robin, as for ingress-nginx's own balancer. */
const algorithm: AnnotationParser<LoadBalance> = trimmed((text) => {
  const parsed = oneOf("round_robin", "ewma", "least_conn", "p2c")(text)
  if (parsed.kind === "value") return parsed
  const name = impliedBy.get(text)
  const otherwise = "round robin is used instead"
  if (name !== undefined) return { ...accepted("round_robin"), needs: { name, otherwise } }
  return { ...accepted("round_robin"), remark: `${parsed.reason}; ${otherwise}` }
})

/** How many endpoints a key may lead to; 0 is the default, which is 3. */
const subsetSize: AnnotationParser<number> = (text) => {
  const parsed = count(text)
  return parsed.kind === "value" && parsed.value === 0 ? { ...parsed, value: 3 } : parsed
}

const location = { place: "balancing", scope: "location", since: "0.1.0" } as const
const ingress = { place: "balancing", scope: "ingress", since: "0.1.0" } as const
const own = { ...ingress, isOwn: true, risk: "low" } as const

/** Which endpoint serves a request, and which ones are left out of it. */
export const balancingAnnotations: readonly Annotation[] = [
  { ...location, name: "load-balance", risk: "low", field: "loadBalance", parse: algorithm },
  { ...location, name: "upstream-hash-by", risk: "high", field: "hashKey", parse: template },
  {
    ...location,
    name: "upstream-hash-by-subset",
    needs: "upstream-hash-by",
    risk: "low",
    field: "hashesToSubset",
    parse: boolean,
  },
  {
    ...location,
    name: "upstream-hash-by-subset-size",
    needs: "upstream-hash-by-subset",
    risk: "low",
    field: "subsetSize",
    parse: subsetSize,
  },
  { ...ingress, name: "service-upstream", risk: "low", field: "serviceUpstream", parse: boolean },
  { ...own, name: "slow-start", field: "slowStartMs", parse: timeMs },
  { ...own, name: "outlier-failures", field: "outlierFailures", parse: integer(1, 1000) },
  {
    ...own,
    name: "outlier-ejection-time",
    needs: "outlier-failures",
    field: "outlierEjectionMs",
    parse: timeMs,
  },
]

import { type Algorithm, algorithm as anyAlgorithm } from "../options/algorithm.ts"
import { accepted, integer, refused } from "../options/parser.ts"
import { none, values } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"
import { count, falseByDefault, time, trueOrFalse } from "./syntax.ts"
import { template } from "./texts.ts"

/** Algorithms that other annotations ask for, and which. Named here they are no mistake where that annotation is there too. */
const impliedBy: ReadonlyMap<string, string> = new Map([
  ["chash", "upstream-hash-by"],
  ["chashsubset", "upstream-hash-by-subset"],
  ["sticky_balanced", "affinity"],
  ["sticky_persistent", "affinity"],
])

/** An algorithm's name. What cannot be used is round robin, as for ingress-nginx's own balancer. */
const algorithm: AnnotationParser<Algorithm> = trimmed((text) => {
  const parsed = anyAlgorithm(text)
  if (parsed.kind === "value") return parsed
  const name = impliedBy.get(text)
  const otherwise = "round robin is used instead"
  if (name !== undefined) return { ...accepted("round_robin"), needs: { name, otherwise } }
  return { ...accepted("round_robin"), remark: `${parsed.reason}; ${otherwise}` }
})

/** What a balancing policy is told when it starts, word for word. It goes into no file, only to the policy. */
const policyConfig: AnnotationParser<string> = (text) => {
  if (!text.isWellFormed()) return refused("it holds half of a character")
  return Buffer.byteLength(text) <= maxPolicyConfigBytes
    ? accepted(text)
    : refused(`write at most ${maxPolicyConfigBytes} bytes`)
}

/** docs/wire.md, BACKEND. */
const maxPolicyConfigBytes = 16_384

/** How many endpoints a key may lead to; 0 is the default, which is 3. */
const subsetSize: AnnotationParser<number> = (text) => {
  const parsed = count.parse(text)
  return parsed.kind === "value" && parsed.value === 0 ? { ...parsed, value: 3 } : parsed
}

const location = { section: "Balancing", scope: "location", since: "0.1.0" } as const
const ingress = { ...location, scope: "ingress" } as const
const own = { ...ingress, isOwn: true, risk: "low" } as const
const withHash = { "upstream-hash-by": "$request_uri" }

/** Which endpoint serves a request, and which ones are left out of it. */
export const balancingAnnotations = {
  loadBalance: {
    ...location,
    name: "load-balance",
    parse: algorithm,
    values: values.algorithm,
    default: fromConfigMap,
    example: "ewma",
    description: "algorithm that picks the endpoint of a request (docs/balancing.md)",
    risk: "low",
  },
  policyConfig: {
    ...own,
    keepsLines: true,
    name: "policy-config",
    parse: policyConfig,
    values: "text",
    default: none,
    example: '{"spill": 80}',
    exampleWith: {
      annotations: { "load-balance": "wasm/my-policy" },
      keys: { policies: "my-policy" },
    },
    description:
      "what the policy of `load-balance: wasm/NAME` is configured with; what it means is up to the policy",
  },
  /** text with nginx's variables */
  hashKey: {
    ...location,
    name: "upstream-hash-by",
    parse: template,
    values: "text with variables",
    default: none,
    example: "$request_uri",
    description: "requests with the same text go to the same endpoint",
    risk: "high",
  },
  hashesToSubset: {
    ...location,
    ...falseByDefault,
    name: "upstream-hash-by-subset",
    needs: "upstream-hash-by",
    exampleWith: { annotations: withHash },
    description: "requests with the same text go to the same few endpoints, instead of one",
    risk: "low",
  },
  /** 1 to 2^31 - 1 */
  subsetSize: {
    ...location,
    name: "upstream-hash-by-subset-size",
    needs: "upstream-hash-by-subset",
    parse: subsetSize,
    values: values.count,
    default: "3",
    example: "5",
    exampleWith: { annotations: { ...withHash, "upstream-hash-by-subset": "true" } },
    description: "how many endpoints such a subset has",
    risk: "low",
  },
  /** one endpoint: the Service's own address */
  serviceUpstream: {
    ...ingress,
    ...trueOrFalse,
    section: "Backends",
    name: "service-upstream",
    default: fromConfigMap,
    example: "true",
    description: "whether the Service's own address is the only endpoint",
    risk: "low",
  },
  slowStartMs: {
    ...own,
    name: "slow-start",
    ...time,
    default: none,
    example: "30s",
    description: "time over which the share of an added endpoint grows to its full size",
  },
  /** failed attempts in a row */
  outlierFailures: {
    ...own,
    name: "outlier-failures",
    parse: integer(1, 1000),
    values: "1 to 1000",
    default: none,
    example: "5",
    description: "number of failed attempts in a row after which an endpoint is ejected",
  },
  outlierEjectionMs: {
    ...own,
    name: "outlier-ejection-time",
    needs: "outlier-failures",
    ...time,
    default: "`30s`",
    example: "1m",
    exampleWith: { annotations: { "wick.dev/outlier-failures": "5" } },
    description: "how long an endpoint is ejected",
  },
} satisfies Family

import { none } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { count, falseByDefault } from "./syntax.ts"
import { basicText, nameText, pattern } from "./texts.ts"

const canary = { section: "Canaries", scope: "ingress", since: "0.1.0" } as const
const withCanary = { canary: "true" }
const rule = { ...canary, needs: "canary", exampleWith: { annotations: withCanary } } as const
const ofHeader = {
  ...canary,
  needs: "canary-by-header",
  exampleWith: { annotations: { ...withCanary, "canary-by-header": "X-Canary" } },
} as const

/** Which Ingresses only divert a share of another one's traffic, and which share. Ranges as in model/backend.ts, TrafficShaping. */
export const canaryAnnotations = {
  isCanary: {
    ...canary,
    ...falseByDefault,
    name: "canary",
    description: "the Ingress takes requests from an older one with the same hosts and paths",
    risk: "low",
  },
  weight: {
    ...rule,
    name: "canary-weight",
    ...count,
    default: "0",
    example: "20",
    description: "the canary's share of requests, of canary-weight-total",
    risk: "low",
  },
  weightTotal: {
    ...rule,
    name: "canary-weight-total",
    ...count,
    default: "100",
    example: "1000",
    description: "the number that canary-weight is a share of",
    risk: "low",
  },
  header: {
    ...rule,
    name: "canary-by-header",
    parse: nameText,
    values: "name of a header",
    default: none,
    example: "X-Canary",
    description: "its value `always` sends a request to the canary, `never` keeps it away",
    risk: "medium",
  },
  headerValue: {
    ...ofHeader,
    name: "canary-by-header-value",
    parse: basicText,
    values: "text",
    default: none,
    example: "beta",
    description:
      "value of canary-by-header that sends a request to the canary, instead of `always` and `never`",
    risk: "medium",
  },
  headerPattern: {
    ...ofHeader,
    name: "canary-by-header-pattern",
    parse: pattern,
    values: "a regular expression (PCRE)",
    default: none,
    example: "^beta",
    description:
      "values of canary-by-header that send a request to the canary, instead of `always` and `never`",
    risk: "medium",
  },
  cookie: {
    ...rule,
    name: "canary-by-cookie",
    parse: nameText,
    values: "name of a cookie",
    default: none,
    example: "canary",
    description: "its value `always` sends a request to the canary, `never` keeps it away",
    risk: "medium",
  },
  /** to be used beside an older canary of the same backend */
  isNWay: {
    ...rule,
    ...falseByDefault,
    name: "canary-n-way",
    isOwn: true,
    description: "whether the canary takes its share beside older canaries of the same backend",
    risk: "low",
  },
} satisfies Family

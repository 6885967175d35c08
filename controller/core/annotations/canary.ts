import { boolean } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { basicText, count, nameText, pattern } from "./parse.ts"

const canary = { place: "canary", scope: "ingress", since: "0.1.0" } as const
const rule = { ...canary, needs: "canary" } as const

/** Which Ingresses only divert a share of another one's traffic, and which share. */
export const canaryAnnotations: readonly Annotation[] = [
  { ...canary, name: "canary", risk: "low", field: "isCanary", parse: boolean },
  { ...rule, name: "canary-weight", risk: "low", field: "weight", parse: count },
  { ...rule, name: "canary-weight-total", risk: "low", field: "weightTotal", parse: count },
  { ...rule, name: "canary-by-header", risk: "medium", field: "header", parse: nameText },
  {
    ...rule,
    name: "canary-by-header-value",
    needs: "canary-by-header",
    risk: "medium",
    field: "headerValue",
    parse: basicText,
  },
  {
    ...rule,
    name: "canary-by-header-pattern",
    needs: "canary-by-header",
    risk: "medium",
    field: "headerPattern",
    parse: pattern,
  },
  { ...rule, name: "canary-by-cookie", risk: "medium", field: "cookie", parse: nameText },
  { ...rule, name: "canary-n-way", isOwn: true, risk: "low", field: "isNWay", parse: boolean },
]

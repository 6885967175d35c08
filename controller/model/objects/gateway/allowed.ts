import { type LabelSelector, selectorOf } from "../label-selector.ts"
import type { Reader } from "../reader.ts"
import { gatewayGroup, readGroup, readKind } from "./names.ts"

/** In which namespaces objects may lie that want to be attached. */
export type AllowedNamespaces =
  | { readonly from: "All" | "Same" | "None" }
  | { readonly from: "Selector"; readonly selector: LabelSelector }

export interface RouteKind {
  readonly group: string
  readonly kind: string
}

/** Which routes a listener takes. */
export interface AllowedRoutes {
  readonly namespaces: AllowedNamespaces
  /** none: those that its protocol has */
  readonly kinds: readonly RouteKind[]
}

const sources = ["All", "Selector", "Same", "None"] as const

/** @param absent what holds where nothing is written */
export function readAllowedNamespaces(at: Reader, absent: "Same" | "None"): AllowedNamespaces {
  return at.expected("namespaces", (namespaces) => readNamespaces(namespaces, absent)) ?? { from: absent }
}

function readNamespaces(at: Reader, absent: "Same" | "None"): AllowedNamespaces | undefined {
  const from = at.oneOf("from", sources, absent)
  if (from !== "Selector") return at.accepted({ from })
  const selector = at.required("selector", readSelector)
  return selector && at.accepted({ from, selector })
}

/** Source: Kubernetes, LabelSelector of meta/v1: `matchLabels` and `matchExpressions`, all of which have to hold. */
function readSelector(at: Reader): LabelSelector | undefined {
  const labels = at.textMap("matchLabels")
  const expressions = at.every("matchExpressions", readExpression)
  return at.accepted(selectorOf(labels, expressions))
}

function readExpression(at: Reader) {
  const key = at.requiredText("key")
  const operator = at.oneOf("operator", ["In", "NotIn", "Exists", "DoesNotExist"], "In")
  return at.accepted({ key, operator, values: at.texts("values") })
}

export function readAllowedRoutes(at: Reader): AllowedRoutes {
  const read = at.expected("allowedRoutes", (allowed) =>
    allowed.accepted({
      namespaces: readAllowedNamespaces(allowed, "Same"),
      kinds: allowed.every("kinds", (kind) =>
        kind.accepted({ group: readGroup(kind, "group", gatewayGroup), kind: readKind(kind, "kind") }),
      ),
    }),
  )
  return read ?? { namespaces: { from: "Same" }, kinds: [] }
}

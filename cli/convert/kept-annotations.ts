import { idleOnRoutes } from "../../controller/core/annotations/on-routes.ts"
import type { Subject } from "../lint/subject.ts"
import { reasonFor } from "./equivalents.ts"

// What wick reads on its routes as on Ingresses (docs/gateway-api.md, Annotations).

/** Whether an annotation has no equivalent, and its effect where it stands on a route of wick's. @param name without prefix */
export function isKept(name: string): boolean {
  return reasonFor(name) !== undefined && !idleOnRoutes.has(name)
}

/** Absent: there are none. */
export function keptAnnotations({
  ingress,
  annotations,
}: Subject): Readonly<Record<string, string>> | undefined {
  const kept = [...annotations].filter(([name]) => isKept(name)).map(([, { key }]) => key)
  if (kept.length === 0) return undefined
  return Object.fromEntries(kept.map((key) => [key, ingress.meta.annotations[key] ?? ""]))
}

import { effectiveAnnotations, nameUnder } from "../../controller/core/annotations/canonical.ts"
import { idleOnRoutes } from "../../controller/core/annotations/on-routes.ts"
import type { Subject } from "../lint/subject.ts"
import { reasonFor } from "./equivalents.ts"

// What wick reads on its routes as on Ingresses (docs/gateway-api.md, Annotations).

/** Whether an annotation has no equivalent, and its effect where it stands on a route of wick's. @param name without prefix */
export function isKept(name: string): boolean {
  return reasonFor(name) !== undefined && !idleOnRoutes.has(name)
}

/** Absent: there are none. Empty ones are kept, too: of what keeps requests out an empty value closes. */
export function keptAnnotations({ ingress, around }: Subject): Readonly<Record<string, string>> | undefined {
  const { annotationsPrefix } = around.options
  const kept = [...effectiveAnnotations(ingress.meta.annotations, annotationsPrefix)]
    .filter(([canonical]) => isKept(nameUnder(canonical, annotationsPrefix) ?? ""))
    .map(([, { key, value }]) => [key, value] as const)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

import { effectiveAnnotations, nameUnder } from "../../controller/core/annotations/canonical.ts"
import { idleOnRoutes } from "../../controller/core/annotations/on-routes.ts"
import { routingAnnotations } from "../../controller/core/annotations/routing.ts"
import { annotationByName } from "../../controller/core/annotations/table.ts"
import type { Subject } from "../lint/subject.ts"

// What wick reads on its routes as on Ingresses (docs/gateway-api.md, Annotations).

/** Whether an annotation has its effect where it stands on a route of wick's. @param name without prefix */
export function isKept(name: string): boolean {
  return annotationByName.has(name) && !idleOnRoutes.has(name)
}

/**
 * Absent: there are none. Empty ones are kept, too: of what keeps requests out an empty value closes.
 *
 * @param isLedToHttps whether requests without TLS are, whatever the Ingress itself says about it
 */
export function keptAnnotations(
  { ingress, around }: Subject,
  isLedToHttps: boolean,
): Readonly<Record<string, string>> | undefined {
  const { annotationsPrefix } = around.options
  const toHttps = routingAnnotations.forceSslRedirect.name
  const kept = [...effectiveAnnotations(ingress.meta.annotations, annotationsPrefix)].flatMap(
    ([canonical, { key, value }]) => {
      const name = nameUnder(canonical, annotationsPrefix) ?? ""
      return isKept(name) && name !== toHttps ? [[key, value] as const] : []
    },
  )
  const led = isLedToHttps ? [[`${annotationsPrefix}/${toHttps}`, "true"] as const] : []
  return kept.length + led.length === 0 ? undefined : Object.fromEntries([...kept, ...led])
}

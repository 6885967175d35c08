import { fieldPath } from "../../../model/field-path.ts"
import type { Said } from "../../declared/said.ts"
import type { Finding } from "../finding.ts"
import { type RouteRule, rulesOf, type WebRoute } from "./read-route.ts"

/** Where a route says of a rule what its annotations say in another way: the route counts. */
export function overruled(route: WebRoute, said: Said): readonly Finding[] {
  return rulesOf(route).flatMap((rule) => [...corsIn(rule, said), ...sessionIn(rule, said)])
}

function corsIn({ field, filters }: RouteRule, { proxying }: Said): readonly Finding[] {
  const at = filters.findIndex(({ type }) => type === "CORS")
  if (proxying.cors === undefined || at < 0) return []
  return [idle("enable-cors", fieldPath(field, "filters", at), "its filter CORS says that")]
}

function sessionIn({ field, session, backends }: RouteRule, { affinity }: Said): readonly Finding[] {
  if (affinity === undefined) return []
  if (session !== undefined)
    return [idle("affinity", fieldPath(field, "sessionPersistence"), "its sessionPersistence says that")]
  const isAlone = backends.length < 2 && backends.every(({ filters }) => filters.length === 0)
  if (isAlone) return []
  const where = fieldPath(field, "backendRefs")
  return [
    idle(
      "affinity",
      where,
      "it has several backends, or filters of a backend, and sessions begin where there is one without",
    ),
  ]
}

function idle(annotation: string, field: string, why: string): Finding {
  const message = `Annotation "${annotation}" has no effect on this rule: ${why}`
  return { reason: "Overruled", code: "annotation-idle", field, message }
}

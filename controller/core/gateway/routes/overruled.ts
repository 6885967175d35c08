import { fieldPath } from "../../../model/field-path.ts"
import type { Said } from "../../declared/said.ts"
import type { Finding } from "../finding.ts"
import { type RouteRule, rulesOf, type WebRoute } from "./read-route.ts"

/** Where a route says of a rule what its annotations say in another way: the route counts. */
export function overruled(route: WebRoute, said: Said): readonly Finding[] {
  return rulesOf(route).flatMap((rule) => [
    ...corsIn(rule, said),
    ...sessionIn(rule, said),
    ...pathIn(rule, said),
    ...redirectIn(rule, said),
  ])
}

/** Whether a rule, or one of its backends, has a path of its own for requests. */
export function replacesPath({ filters, backends }: RouteRule): boolean {
  return [filters, ...backends.map((backend) => backend.filters)].some((all) => pathFilter(all) >= 0)
}

function pathFilter(filters: RouteRule["filters"]): number {
  return filters.findIndex((filter) => filter.type === "URLRewrite" && filter.rewrite.path !== undefined)
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

function pathIn(rule: RouteRule, { filters: said }: Said): readonly Finding[] {
  const isSaid = rule.matches.some(({ path }) => said(path).rewrite !== undefined)
  if (!isSaid || !replacesPath(rule)) return []
  return [idle("rewrite-target", fieldPath(rule.field, "filters"), "a filter URLRewrite says that")]
}

function redirectIn({ field, filters, matches }: RouteRule, { filters: said }: Said): readonly Finding[] {
  const at = filters.findIndex(({ type }) => type === "RequestRedirect")
  const isSaid = matches.some(({ path }) => said(path).redirect !== undefined)
  if (at < 0 || !isSaid) return []
  const message = "Redirects of annotations have no effect on this rule: its filter RequestRedirect says that"
  return [{ reason: "Overruled", code: "annotation-idle", field: fieldPath(field, "filters", at), message }]
}

function idle(annotation: string, field: string, why: string): Finding {
  const message = `Annotation "${annotation}" has no effect on this rule: ${why}`
  return { reason: "Overruled", code: "annotation-idle", field, message }
}

import { isDeepStrictEqual } from "node:util"
import { annotationPath, fieldPath, isOfAnnotations } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import type { Finding } from "./finding.ts"

// What of an Ingress is refused may have been there before. Only the very same thing may stay: a value that was forbidden cannot be changed into
// another one, nor a path that somebody else has be led to another Service.

/** Whether two versions of an Ingress are served alike: they differ in labels, finalizers, status and the like alone. */
export function saysSame(a: Ingress, b: Ingress): boolean {
  return isDeepStrictEqual(saidBy(a), saidBy(b))
}

function saidBy({ meta, ...spec }: Ingress): unknown {
  const { namespace, name, annotations } = meta
  return { namespace, name, annotations, spec }
}

/** Tells the findings about an Ingress that were there before, about the same thing in the same words. */
export function standing(
  ingress: Ingress,
  before: { readonly ingress: Ingress; readonly refusals: readonly Finding[] },
): (finding: Finding) => boolean {
  const stood = new Set(before.refusals.map((finding) => identity(finding, before.ingress)))
  return (finding) => stood.has(identity(finding, ingress))
}

/** Lists may have moved: positions are no part of it. */
function identity({ field, message }: Finding, ingress: Ingress): string {
  return JSON.stringify([message, partAt(field, ingress)])
}

/** The smallest part of an Ingress that a finding there is about, with all that decides what becomes of it. */
function partAt(field: string, { meta, rules, tls, defaultBackend }: Ingress): unknown {
  if (isOfAnnotations(field))
    return Object.entries(meta.annotations).find(([key]) => field === annotationPath(key)) ?? null
  for (const [at, { host, paths }] of rules.entries()) {
    const own = fieldPath("spec", "rules", at)
    if (!isIn(field, own)) continue
    const path = paths?.find((_, index) => isIn(field, fieldPath(own, "http", "paths", index)))
    return path === undefined ? [host, paths] : [host, path]
  }
  const entry = tls.find((_, at) => isIn(field, fieldPath("spec", "tls", at)))
  return entry ?? (field.startsWith("spec.defaultBackend") ? defaultBackend : undefined) ?? null
}

/** @param whole a path; `spec.rules[1]` is not in `spec.rules[10]`, whose bracket comes later */
function isIn(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`)
}

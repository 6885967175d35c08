import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { Ingress } from "../objects/ingress.ts"
import type { Annotation, AnnotationValues } from "./entry.ts"
import { nearest } from "./nearest.ts"
import { gate } from "./parse.ts"
import { annotationByName, configMapKeys, knownNames, withoutEffect } from "./table.ts"

// In comes an Ingress, out go typed values and the Problems of those annotations that are unknown, without effect or refused. Nothing is
// known here of routes, policies or nginx: an entry of the table says which field takes a value.

export interface AnnotationReading {
  readonly values: AnnotationValues
  readonly problems: readonly Problem[]
}

interface Finding {
  readonly code: string
  readonly message: string
}

type Draft = { -readonly [P in keyof AnnotationValues]: Record<string, unknown> }

/** Reads the annotations of `ingress` under `prefix`; those of other tools are passed over. Problems are in order of the names. */
export function readAnnotations(ingress: Ingress, prefix: string): AnnotationReading {
  const draft: Draft = { route: {}, policy: {}, live: {} }
  const problems: Problem[] = []
  for (const key of Object.keys(ingress.meta.annotations).sort()) {
    if (!key.startsWith(`${prefix}/`)) continue
    const finding = readOne(ingress.meta.annotations, key, prefix, draft)
    if (finding !== undefined) problems.push(problem(ingress, key, finding))
  }
  // each entry's type ties its parser to the field it fills (entry.ts), which the loop over all entries cannot express
  return { values: draft as AnnotationValues, problems }
}

function readOne(
  all: Readonly<Record<string, string>>,
  key: string,
  prefix: string,
  draft: Draft,
): Finding | undefined {
  const name = key.slice(prefix.length + 1)
  const entry = annotationByName.get(name)
  if (entry === undefined) return unread(name)
  if (name !== entry.name && all[`${prefix}/${entry.name}`] !== undefined) return overridden(entry, name)
  return readValue(entry, all[key] ?? "", draft)
}

function readValue(entry: Annotation, text: string, draft: Draft): Finding | undefined {
  const parsed = gate<unknown>(entry.parse)(text)
  if (parsed.kind === "refused") {
    return {
      code: "annotation-refused",
      message: `Cannot use ${shown(text)} for annotation "${entry.name}": ${parsed.reason}; its default applies`,
    }
  }
  draft[entry.place][entry.field] = parsed.value
  if (parsed.remark === undefined) return undefined
  return {
    code: "annotation-changed",
    message: `Cannot use ${shown(text)} for annotation "${entry.name}" as it is: ${parsed.remark}`,
  }
}

function unread(name: string): Finding {
  if (withoutEffect.has(name)) {
    return { code: "annotation-without-effect", message: `Annotation "${name}" has no effect yet` }
  }
  return { code: "annotation-unknown", message: `Annotation ${shown(name)} is unknown: ${hintFor(name)}` }
}

function hintFor(name: string): string {
  if (configMapKeys.has(name)) return "it is a key of the ConfigMap and holds for all Ingresses"
  const known = nearest(name, knownNames)
  return known === undefined ? "no known name is like it" : `did you mean "${known}"`
}

function overridden(entry: Annotation, alias: string): Finding {
  return {
    code: "annotation-overridden",
    message: `Annotation "${alias}" has no effect: the same Ingress has "${entry.name}", the name of today`,
  }
}

function problem(ingress: Ingress, key: string, { code, message }: Finding): Problem {
  const { namespace, name } = ingress.meta
  return {
    object: { kind: "Ingress", namespace, name },
    field: `metadata.annotations[${shown(key)}]`,
    code,
    message,
  }
}

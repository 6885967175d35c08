import { shown } from "./shown.ts"

/** One step down into an object: a field by its name, an item of a list by its index, an entry of a mapping by its key in brackets. */
export type Step = string | number | readonly [key: string]

/**
 * Where something stands in an object, as the API server writes it: `fieldPath("spec", "rules", 0, "host")` is `spec.rules[0].host`,
 * `fieldPath("data", ["use-gzip"])` is `data["use-gzip"]`. The first step may be a path of before; empty names are passed over.
 */
export function fieldPath(...steps: readonly Step[]): string {
  const parts: string[] = []
  for (const step of steps) {
    if (step === "") continue
    if (typeof step === "string" && parts.length > 0) parts.push(".")
    parts.push(textOf(step))
  }
  // What `+` makes of many parts stays in memory as many parts.
  return parts.join("")
}

/** Of an annotation, by its whole key. */
export function annotationPath(key: string): string {
  return fieldPath(annotationsPath, [key])
}

export const annotationsPath = "metadata.annotations"

/** Whether a path leads to annotations, or to one of them. */
export function isOfAnnotations(path: string): boolean {
  return path.startsWith(annotationsPath)
}

function textOf(step: Step): string {
  if (typeof step === "string") return step
  return typeof step === "number" ? `[${step}]` : `[${shown(step[0])}]`
}

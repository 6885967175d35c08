import { annotationPath } from "../../model/field-path.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import { ownPrefix } from "../options/conflicts.ts"
import { effectiveAnnotations, nameUnder, type Written } from "./canonical.ts"
import { type AnnotationReading, readAnnotations } from "./read.ts"
import { type Annotation, annotationByName } from "./table.ts"
import { type AnnotationValues, unusable, valueIn } from "./values.ts"

// What is asked about the annotations of an Ingress beside their values: which ones there are, and where they stand. The text of a value that was
// taken is not handed out, so that nobody reads it a second time by a rule of his own.

/** One annotation as it was read. */
export type SaidAnnotation = {
  readonly key: string
} /** as it is written, or another value in its place */ & (
  | { readonly kind: "value" | "changed" }
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "unknown" }
)

export interface Said {
  readonly values: AnnotationValues
  /** by the name of today, without prefix; empty ones count as absent */
  readonly annotations: ReadonlyMap<string, SaidAnnotation>
}

/** @param prefix `--annotations-prefix` */
export function saidBy(ingress: Ingress, prefix: string): Said {
  const reading = readAnnotations(ingress, prefix)
  const annotations = new Map<string, SaidAnnotation>()
  for (const [canonical, written] of effectiveAnnotations(ingress.meta.annotations, prefix)) {
    const name = nameUnder(canonical, prefix)
    if (name === undefined || written.value === "") continue
    const said = saidAs(name, canonical.startsWith(`${ownPrefix}/`), written, reading)
    if (said.kind !== "unknown" || !annotations.has(name)) annotations.set(name, said)
  }
  return { values: reading.values, annotations }
}

function saidAs(name: string, isOwn: boolean, written: Written, reading: AnnotationReading): SaidAnnotation {
  const entry = annotationByName.get(name)
  if (entry !== undefined && (entry.isOwn ?? false) === isOwn) return ofEntry(entry, written, reading)
  return { kind: "unknown", key: written.key }
}

function ofEntry(
  entry: Annotation,
  { key, value: text }: Written,
  { values, problems }: AnnotationReading,
): SaidAnnotation {
  const value = valueIn(values, entry)
  if (value === undefined || value === unusable) return { kind: "refused", key, text }
  const field = annotationPath(key)
  const isChanged = problems.some((it) => it.code === "annotation-changed" && it.field === field)
  return { kind: isChanged ? "changed" : "value", key }
}

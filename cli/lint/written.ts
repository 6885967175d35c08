import { annotationByName } from "../../controller/core/annotations/table.ts"
import { annotationPath } from "../../controller/model/field-path.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"

/** Of an annotation, which may be written by an older one. */
export function nameOfToday(name: string): string {
  return annotationByName.get(name)?.name ?? name
}

/** An annotation by where it stands: its name as it is written there, without prefix. */
interface WrittenAnnotation {
  readonly name: string
  readonly value: string
}

/** @param field as in a Problem @returns nothing where it leads to no annotation of the Ingress */
export function writtenAt(field: string, { meta }: Ingress): WrittenAnnotation | undefined {
  const [key, value] = Object.entries(meta.annotations).find(([it]) => annotationPath(it) === field) ?? []
  return key === undefined || value === undefined
    ? undefined
    : { name: key.slice(key.indexOf("/") + 1), value }
}

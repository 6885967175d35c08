import { annotationByName } from "../../controller/core/annotations/table.ts"
import { annotationPath } from "../../controller/model/field-path.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"

/** Of an annotation, which may be written by an older one. */
export function nameOfToday(name: string): string {
  return annotationByName.get(name)?.name ?? name
}

/** The whole key of an annotation. @param field as in a Problem @returns undefined where it leads to no annotation of the Ingress */
export function keyAt(field: string, { meta }: Ingress): string | undefined {
  return Object.keys(meta.annotations).find((key) => annotationPath(key) === field)
}

/** Without prefix, as it is written there. */
export function nameIn(key: string): string {
  return key.slice(key.indexOf("/") + 1)
}

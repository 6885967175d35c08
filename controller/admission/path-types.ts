import { fieldPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"

/** What `strict-validate-path-type` lets through; the empty path is `/`. */
const plain = /^\/[a-z0-9._/-]*$/i

/** Paths that look like patterns, and are not of the type of patterns. */
export function pathTypeFaults({ rules }: Ingress): readonly Finding[] {
  return rules.flatMap(({ paths = [] }, at) =>
    paths.flatMap(({ path, pathType }, index) => {
      if (pathType === "ImplementationSpecific" || path === "" || plain.test(path)) return []
      const field = fieldPath("spec", "rules", at, "http", "paths", index, "path")
      const remedy = "write letters, digits and . _ - / only, or pathType ImplementationSpecific"
      return [{ field, message: `path ${shown(path)} cannot be used with pathType ${pathType}: ${remedy}` }]
    }),
  )
}

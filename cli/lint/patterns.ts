import type { ReadIngress } from "./subject.ts"

/** Whether an Ingress makes the paths of its hosts regular expressions. */
export function hasPatterns({ values: { routing } }: Pick<ReadIngress, "values">): boolean {
  return routing.usesRegex === true || routing.rewriteTarget !== undefined
}

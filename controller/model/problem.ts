import type { ProblemCode } from "./problems/catalogue.ts"

/** Names one Kubernetes object, as messages and logs print it: `Ingress "shop/cart"`. Cluster-scoped kinds have namespace "". */
export interface ObjectName {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/**
 * Something is wrong with a user's object. A value, never thrown: the part it concerns is left out, everything else works.
 * `field` is a path inside the object (field-path.ts: `metadata.annotations["…"]`, `spec.rules[0].http.paths[1].path`), or `file:line` for text
 * that is no object); `code` is a row of the catalogue; `message` is one sentence that says what to do, without a final dot.
 */
export interface Problem {
  readonly object: ObjectName
  readonly field: string
  readonly code: ProblemCode
  readonly message: string
}

/** `Ingress "shop/cart"` */
export function printName({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${JSON.stringify(namespace === "" ? name : `${namespace}/${name}`)}`
}

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

/** Most Problems are the same objects from pass to pass, and a cluster may have thousands. */
const contents = new WeakMap<Problem, string>()

/** All that a Problem says, as one text: the same for two objects that say the same. */
export function contentOf(problem: Problem): string {
  const known = contents.get(problem)
  if (known !== undefined) return known
  const content = JSON.stringify(problem)
  contents.set(problem, content)
  return content
}

/** `Ingress "shop/cart"` */
export function printName({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${JSON.stringify(namespace === "" ? name : `${namespace}/${name}`)}`
}

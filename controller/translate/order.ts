import type { Ingress } from "../objects/ingress.ts"

/**
 * Oldest first; of the same age the greater `namespace/name` first, as in the reference. The first in this order wins a conflict, and
 * since no two Ingresses share a name, the order does not depend on how they came in.
 */
export function byPrecedence(ingresses: readonly Ingress[]): Ingress[] {
  return [...ingresses].sort(
    (a, b) => a.meta.createdMs - b.meta.createdMs || byteOrder(fullName(b), fullName(a)),
  )
}

/** Canonical order of names in the model. */
export function byteOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function fullName({ meta }: Ingress): string {
  return `${meta.namespace}/${meta.name}`
}

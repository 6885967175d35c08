import { compareText } from "../../support/order.ts"
import type { ParsedIngress } from "./parsed/parsed-ingress.ts"

/**
 * Oldest first; of the same age the greater `namespace/name` first, as in the reference. The first in this order wins a conflict, and
 * since no two Ingresses share a name, the order does not depend on how they came in.
 */
export function byPrecedence(a: ParsedIngress, b: ParsedIngress): number {
  return a.createdMs - b.createdMs || compareText(b.name, a.name)
}

import { compareText } from "../../support/order.ts"
import type { IngressClaims } from "./ingress/claim.ts"

/**
 * Oldest first; of the same age the greater `namespace/name` first, as in the reference. The first in this order wins a conflict, and
 * since no two Ingresses share a name, the order does not depend on how they came in.
 */
export function byPrecedence(a: IngressClaims, b: IngressClaims): number {
  return a.createdMs - b.createdMs || compareText(b.name, a.name)
}

/** More than so many are merged into a list, fewer are put into it one by one. */
const few = 16

/** A sorted list after a change: without those that are `gone`, and with `added`. The list itself when nothing changes. */
export function patched<T>(
  list: readonly T[],
  gone: ReadonlySet<T>,
  added: readonly T[],
  order: (a: T, b: T) => number,
): readonly T[] {
  const kept = gone.size === 0 ? list : list.filter((item) => !gone.has(item))
  if (added.length === 0) return kept
  if (added.length > few) return [...kept, ...added].sort(order)
  const all = [...kept]
  for (const item of added) all.splice(placeOf(all, item, order), 0, item)
  return all
}

/** Where an item belongs in a sorted list that has none like it. */
export function placeOf<T>(list: readonly T[], item: T, order: (a: T, b: T) => number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = list[middle]
    if (other !== undefined && order(other, item) < 0) from = middle + 1
    else to = middle
  }
  return from
}

import { isDeepStrictEqual } from "node:util"
import { sameItems } from "../../../support/incremental/last-result.ts"
import type { AttachableListener } from "./attachable.ts"

/**
 * Listeners as they are read anew whenever a Gateway or a ListenerSet changes, each the object of the last time where it says the same: routes are
 * looked at again that are attached to others. The list of the last time if all of it is the same.
 */
export function keptListeners(
  before: readonly AttachableListener[],
  after: readonly AttachableListener[],
): readonly AttachableListener[] {
  const bySpec = new Map(before.map((listener) => [listener.spec, listener]))
  const kept = after.map((listener) => {
    const known = bySpec.get(listener.spec)
    return known !== undefined && isSame(known, listener) ? known : listener
  })
  return sameItems(kept, before) ? before : kept
}

/** Objects that have not changed are not looked into. */
function isSame(a: AttachableListener, b: AttachableListener): boolean {
  return a.gateway === b.gateway && a.owner === b.owner && isDeepStrictEqual(a, b)
}

import { mirrorsOf } from "../../../model/route.ts"
import { compact } from "../../../support/compact.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { Rule } from "../../declared/rule.ts"
import type { Target } from "../backends/resolved-backends.ts"
import type { FindTarget } from "./find-target.ts"

// Which hosts it concerns that a backend leads elsewhere than before.

/** What leads elsewhere than before. */
export interface Moved {
  /** of backends */
  readonly keys: ReadonlySet<string>
  /** the default backend, and so all that is not among the backends */
  readonly isDefault: boolean
}

export type Ref = Parameters<FindTarget>[0]

export function isNothing({ keys, isDefault }: Moved): boolean {
  return keys.size === 0 && !isDefault
}

export function isAmong({ keys, isDefault }: Moved, ref: Ref, known: ReadonlyMap<string, Target>): boolean {
  if (ref !== undefined && keys.has(ref.key)) return true
  return isDefault && (ref === undefined || !known.has(ref.key))
}

export function isConcerned(host: DeclaredHost | undefined, isMoved: (ref: Ref) => boolean): boolean {
  return host !== undefined && rulesOf(host).some((rule) => refsOf(rule).some(isMoved))
}

function rulesOf({ rules, clients }: DeclaredHost): readonly Rule[] {
  return clients?.kind === "nobody" ? [...rules, clients.root] : rules
}

/** Undefined where it leads to the default backend. */
function refsOf(rule: Rule): readonly Ref[] {
  const { backend, split = [], proxying, access } = rule
  const { fallback, errorPages, mirror } = proxying
  return [
    backend,
    ...mirrorsOf(rule).map(({ ref }) => ref),
    ...split.map(({ ref }) => ref),
    ...(access.external === undefined ? [] : [access.external.ref]),
    ...(mirror === undefined ? [] : [mirror.ref]),
    ...(errorPages === "none" ? [] : [undefined]),
    ...(fallback === undefined ? [] : [fallback.ref]),
  ]
}

/** Keys of the backends that a host names. The only one stands alone: thousands of hosts are looked through for few backends. */
export function namedBy(host: DeclaredHost): string | readonly string[] {
  const refs = rulesOf(host).flatMap(refsOf)
  const keys = [...new Set(refs.flatMap((ref) => ref?.key ?? []))]
  return keys.length === 1 && keys[0] !== undefined ? keys[0] : compact(keys)
}

export function placesNaming(
  named: readonly (string | readonly string[])[],
  moved: ReadonlySet<string>,
): readonly number[] {
  const isMoved = (key: string) => moved.has(key)
  const places: number[] = []
  // Without `entries`, which makes a list of each item: there are thousands, in each pass.
  for (let at = 0; at < named.length; at += 1) {
    const keys = named[at] ?? []
    if (typeof keys === "string" ? isMoved(keys) : keys.some(isMoved)) places.push(at)
  }
  return places
}

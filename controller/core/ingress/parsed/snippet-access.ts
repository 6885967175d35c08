import { getOrMake } from "../../../support/maps.ts"
import { closedAccess, openAccess, type RouteAccess } from "../../declared/access.ts"
import type { CompiledAccess } from "../../snippets/compiled.ts"

// What snippets say of who gets in, beside what annotations do.

/** The same result for the same access. */
export type WithSnippet = (access: RouteAccess) => RouteAccess

/** Of the block that annotations are about, too: what is said twice, the snippet says. */
export function accessBy(said: CompiledAccess | undefined): WithSnippet {
  if (said === undefined || Object.keys(said).length === 0) return (access) => access
  const known = new Map<RouteAccess, RouteAccess>()
  return (access) => getOrMake(known, access, () => changed(access, said))
}

/** Of a location inside of the block: rules and lists of addresses take the place of those outside. Source: nginx, ngx_http_access_merge_loc_conf. */
export function accessInside(outside: RouteAccess, said: CompiledAccess | undefined): RouteAccess {
  if (said === undefined || outside.isClosed) return outside
  if (said.rules === undefined) return changed(outside, said)
  const { allow: _, deny: __, rules: ___, ...others } = outside
  return changed(others, said)
}

/** The access rules that a path inherits of its server: one that has lists or rules of its own has these alone. */
export function accessWithin(said: CompiledAccess | undefined): WithSnippet {
  const rules = said?.rules
  if (rules === undefined) return (access) => access
  const all: RouteAccess = { ...openAccess, rules }
  return (access) => {
    if (access === openAccess) return all
    const hasOwn = (access.allow ?? access.deny ?? access.rules) !== undefined
    return access.isClosed || hasOwn ? access : { ...access, rules }
  }
}

function changed(access: RouteAccess, said: CompiledAccess): RouteAccess {
  const { rules, satisfy, authBasic, authRequest } = said
  // a location that is asked by itself, which nothing here does
  if (access.isClosed || typeof authRequest === "object") return closedAccess
  const { basic, external, needsOneOnly, ...others } = access
  const realm = typeof authBasic === "object" ? authBasic : undefined
  return {
    ...others,
    ...(rules && { rules: [...(access.rules ?? []), ...rules] }),
    ...((satisfy === undefined ? needsOneOnly : satisfy === "any") && { needsOneOnly: true }),
    ...(basic && authBasic !== "off" && { basic: { ...basic, ...realm } }),
    ...(external && authRequest !== "off" && { external }),
  }
}

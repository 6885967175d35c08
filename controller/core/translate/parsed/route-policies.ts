import type { Policy, PolicyFields } from "../../../model/policy.ts"
import { assertSame, contentName } from "../../../support/content-name.ts"
import { compareText } from "../../../support/order.ts"

/** The policies that the routes of one Ingress may take, depending on what serves them. Where all are the same it is one object. */
export interface RoutePolicies {
  readonly own: Policy
  /** before the default backend, which speaks plain HTTP whatever the Ingress's own backends speak */
  readonly onDefault: Policy
  /** before the fallback that serves when the route's own backend has no endpoints; absent: there is none */
  readonly onFallback?: Policy
}

export function routePolicies(fields: PolicyFields, hasFallback: boolean): RoutePolicies {
  const { protocol: _, tls: __, fastcgi: ___, ...plain } = fields
  const own = policyOf(fields)
  const onDefault = policyOf(plain)
  if (onDefault.name === own.name) assertSame(own.name, own, onDefault)
  return {
    own,
    onDefault: onDefault.name === own.name ? own : onDefault,
    ...(hasFallback && { onFallback: policyOf({ ...plain, isFallback: true }) }),
  }
}

/** The policy with these fields. Equal fields give equal names, whatever their order. */
export function policyOf(fields: PolicyFields): Policy {
  return Object.keys(fields).length === 0 ? defaultPolicy : named(fields)
}

/** By the text that is hashed: equal policies are one object while they are in here, and comparing them takes no time. */
const known = new Map<string, Policy>()
const maxKnown = 1024

function named(fields: PolicyFields): Policy {
  const text = JSON.stringify(Object.entries(fields).sort(([a], [b]) => compareText(a, b)))
  const before = known.get(text)
  if (before !== undefined) return before
  const policy = { name: `policy-${contentName(text)}`, ...fields }
  if (known.size >= maxKnown) known.clear()
  known.set(text, policy)
  return policy
}

/** The default policy always exists, so that the first ordinary Ingress needs no reload. */
export const defaultPolicy: Policy = named({})
export const defaultPolicies: RoutePolicies = { own: defaultPolicy, onDefault: defaultPolicy }

import type { Policy, PolicyFields } from "../../model/policy.ts"
import { assertSame, contentName } from "../../support/content-name.ts"
import { compareText } from "../../support/order.ts"

/** The policies that a rule may take, depending on what serves it. Where all are the same it is one object. */
export interface RoutePolicies {
  readonly own: Policy
  /** before the default backend, which speaks plain HTTP whatever the rule's own backend speaks */
  readonly onDefault: Policy
  /** before the fallback that serves when the route's own backend has no endpoints; absent: there is none */
  readonly onFallback?: Policy
}

/** The policy with these fields. Equal fields give equal names, whatever their order. */
export function policyOf(fields: PolicyFields): Policy {
  return named(textOf(fields), fields)
}

/** By the text that is hashed: equal policies are one object while they are in here, and comparing them takes no time. */
export class KnownPolicies {
  readonly #known = new Map<string, Policy>()

  of(fields: PolicyFields): Policy {
    if (Object.keys(fields).length === 0) return defaultPolicy
    const text = textOf(fields)
    const before = this.#known.get(text)
    if (before !== undefined) return before
    const policy = named(text, fields)
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(text, policy)
    return policy
  }

  ofRoutes(fields: PolicyFields, hasFallback: boolean): RoutePolicies {
    if (Object.keys(fields).length === 0 && !hasFallback) return defaultPolicies
    const { protocol: _, tls: __, fastcgi: ___, ...plain } = fields
    const own = this.of(fields)
    const onDefault = this.of(plain)
    if (onDefault.name === own.name) assertSame(own.name, own, onDefault)
    return {
      own,
      onDefault: onDefault.name === own.name ? own : onDefault,
      ...(hasFallback && { onFallback: this.of({ ...plain, isFallback: true }) }),
    }
  }
}

const maxKnown = 1024

function textOf(fields: PolicyFields): string {
  return JSON.stringify(Object.entries(fields).sort(([a], [b]) => compareText(a, b)))
}

function named(text: string, fields: PolicyFields): Policy {
  return { name: `policy-${contentName(text)}`, ...fields }
}

/** The default policy always exists, so that the first ordinary rule needs no reload. */
export const defaultPolicy: Policy = policyOf({})
export const defaultPolicies: RoutePolicies = { own: defaultPolicy, onDefault: defaultPolicy }

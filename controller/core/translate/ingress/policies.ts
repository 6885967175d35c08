import type { Policy, PolicyFields } from "../../../model/policy.ts"
import { isSameFile, type SecretFile } from "../../../model/secret-file.ts"
import { assertSame, byContentName, contentName } from "../../../support/content-name.ts"
import { byText } from "../../../support/order.ts"
import type { HostDemand } from "../hosts/hosts.ts"

/** The policies that the routes of one Ingress may take, depending on what serves them. Where all are the same it is one object. */
export interface ClaimPolicies {
  readonly own: Policy
  /** before the default backend, which speaks plain HTTP whatever the Ingress's own backends speak */
  readonly onDefault: Policy
  /** before the backend that stands in when its own has no endpoints; absent: there is none */
  readonly onStandIn?: Policy
}

export function policiesOf(fields: PolicyFields, hasStandIn: boolean): ClaimPolicies {
  const { protocol: _, tls: __, fastcgi: ___, ...plain } = fields
  const own = policyOf(fields)
  const onDefault = policyOf(plain)
  if (onDefault.name === own.name) assertSame(own.name, own, onDefault)
  return {
    own,
    onDefault: onDefault.name === own.name ? own : onDefault,
    ...(hasStandIn && { onStandIn: policyOf({ ...plain, isStandIn: true }) }),
  }
}

/** The policy with these fields. Equal fields give equal names, whatever their order. */
export function policyOf(fields: PolicyFields): Policy {
  return Object.keys(fields).length === 0 ? defaultPolicy : named(fields)
}

/** By the text that is hashed: while a policy is in here, all who ask for it get one object, and comparing takes no time. */
const known = new Map<string, Policy>()
const maxKnown = 1024

function named(fields: PolicyFields): Policy {
  const text = JSON.stringify(Object.entries(fields).sort(byText(([name]) => name)))
  const before = known.get(text)
  if (before !== undefined) return before
  const policy = { name: `policy-${contentName(text)}`, ...fields }
  if (known.size >= maxKnown) known.clear()
  known.set(text, policy)
  return policy
}

/** The default policy always exists, so that the first ordinary Ingress needs no reload. */
export const defaultPolicy: Policy = named({})
export const defaultPolicies: ClaimPolicies = { own: defaultPolicy, onDefault: defaultPolicy }

/** Of hosts whose TLS is passed through. */
const overTlsPolicy = policyOf({ protocol: "https" })

/**
 * Each policy once, in canonical order, the default one among them.
 *
 * @param passesTls then that of hosts passed through is there too, so that the first of them needs no reload either
 */
export function distinctPolicies(hosts: readonly HostDemand[], passesTls: boolean): readonly Policy[] {
  const always = passesTls ? [defaultPolicy, overTlsPolicy] : [defaultPolicy]
  const used = new Set(always)
  const use = (policy: Policy) => policy === defaultPolicy || used.add(policy) // nearly all are
  for (const { routes } of hosts) {
    for (const { backend, proxying } of routes) {
      const { own, onDefault, onStandIn } = proxying.policies
      use(backend === undefined ? onDefault : own)
      if (backend !== undefined && onStandIn !== undefined) use(onStandIn)
    }
  }
  return [...byContentName(used).values()].sort(byText(({ name }) => name))
}

/** The files that the policies of these hosts name. */
export function* filesOfHosts(hosts: readonly HostDemand[]): Iterable<SecretFile> {
  for (const { routes } of hosts) {
    for (const { proxying } of routes) if (proxying.files.length > 0) yield* proxying.files // hardly ever
  }
}

/** Each file once, in canonical order. */
export function distinctFiles(files: Iterable<SecretFile>): readonly SecretFile[] {
  const byName = byContentName(files, isSameFile)
  return [...byName.values()].sort(byText(({ name }) => name))
}

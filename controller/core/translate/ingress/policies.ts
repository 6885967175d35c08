import { createHash } from "node:crypto"
import type { Policy, PolicyFields } from "../../../model/policy.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import type { HostDemand } from "../hosts/hosts.ts"
import { byteOrder } from "../order.ts"

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

function named(fields: PolicyFields): Policy {
  const sorted = Object.entries(fields).sort(([a], [b]) => byteOrder(a, b))
  const hash = createHash("sha256").update(JSON.stringify(sorted)).digest("hex")
  return { name: `policy-${hash.slice(0, 8)}`, ...fields }
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
  const byName = new Map(always.map((policy) => [policy.name, policy]))
  const put = (policy: Policy) => policy === defaultPolicy || byName.set(policy.name, policy)
  for (const { routes } of hosts) {
    for (const { backend, proxying } of routes) {
      const { own, onDefault, onStandIn } = proxying.policies
      put(backend === undefined ? onDefault : own)
      if (backend !== undefined && onStandIn !== undefined) put(onStandIn)
    }
  }
  return [...byName.values()].sort((a, b) => byteOrder(a.name, b.name))
}

/** The files that these policies name, each once, in canonical order. */
export function distinctFiles(hosts: readonly HostDemand[]): readonly SecretFile[] {
  const byName = new Map<string, SecretFile>()
  for (const { routes } of hosts) {
    for (const { proxying } of routes) {
      if (proxying.files.length === 0) continue // nearly always
      for (const file of proxying.files) byName.set(file.name, file)
    }
  }
  return [...byName.values()].sort((a, b) => byteOrder(a.name, b.name))
}

import { createHash } from "node:crypto"
import type { Policy, PolicyFields } from "../model/policy.ts"
import { byteOrder } from "./order.ts"

/** What holds where no annotation says otherwise. */
const defaults: PolicyFields = { proxyHttpVersion: "1.1" }

/** The policy with these fields and the defaults for the others. Equal fields give equal names, whatever their order. */
export function policyOf(fields: Partial<PolicyFields>): Policy {
  return Object.keys(fields).length === 0 ? defaultPolicy : named(fields)
}

function named(fields: Partial<PolicyFields>): Policy {
  const all: PolicyFields = { ...defaults, ...fields }
  const sorted = Object.entries(all).sort(([a], [b]) => byteOrder(a, b))
  const hash = createHash("sha256").update(JSON.stringify(sorted)).digest("hex")
  return { name: `policy-${hash.slice(0, 8)}`, ...all }
}

/** The default policy always exists, so that the first ordinary Ingress needs no reload. */
export const defaultPolicy: Policy = named({})

/** Each policy once, in canonical order, the default one among them. */
export function distinctPolicies(used: Iterable<{ readonly policy: Policy }>): readonly Policy[] {
  const byName = new Map([[defaultPolicy.name, defaultPolicy]])
  for (const { policy } of used) byName.set(policy.name, policy)
  return [...byName.values()].sort((a, b) => byteOrder(a.name, b.name))
}

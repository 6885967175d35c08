import type { AllowedPolicy } from "../../model/allowed-policy.ts"
import type { Facts } from "../../model/facts.ts"
import type { PolicyState, PolicyTrouble, UsablePolicy } from "../../model/policy-state.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import type { Settings } from "./settings.ts"

/** A policy that somebody asks for. */
export interface FoundPolicy {
  /** absent: round robin is used instead */
  readonly usable?: UsablePolicy
  readonly fault?: PolicyFault
}

interface PolicyFault {
  readonly code: ProblemCode
  /** a sentence */
  readonly message: string
}

const codes: Readonly<Record<PolicyTrouble["kind"], ProblemCode>> = {
  missing: "balancing-policy-missing",
  refused: "balancing-policy-refused",
  faulty: "balancing-policy-faulty",
}

/** Finds the policy of this name. @param find what is known of it; asked only when it is allowed */
export function findPolicy(
  name: string,
  { allowedPolicies }: Pick<Settings, "allowedPolicies">,
  namespace: string | undefined,
  find: (name: string) => PolicyState | undefined,
): FoundPolicy {
  const allowed = allowedPolicies.find((policy) => policy.name === name)
  if (allowed === undefined) return notAllowed(name, 'the ConfigMap\'s key "policies" does not list it')
  if (!isFor(allowed, namespace))
    return notAllowed(
      name,
      `the ConfigMap's key "policies" allows it for other namespaces than "${namespace}"`,
    )
  const { usable, trouble } = find(name) ?? {}
  return { ...(usable && { usable }), ...(trouble && { fault: faultOf(name, trouble, usable) }) }
}

/** @param namespace absent: whether it is for any */
function isFor({ namespaces }: AllowedPolicy, namespace: string | undefined): boolean {
  return namespaces === undefined || namespace === undefined || namespaces.includes(namespace)
}

function notAllowed(name: string, reason: string): FoundPolicy {
  return { fault: { code: "balancing-policy-forbidden", message: sentence(name, reason, undefined) } }
}

function faultOf(
  name: string,
  { kind, reason }: PolicyTrouble,
  usable: UsablePolicy | undefined,
): PolicyFault {
  return { code: codes[kind], message: sentence(name, reason, usable) }
}

function sentence(name: string, reason: string, usable: UsablePolicy | undefined): string {
  const instead =
    usable === undefined
      ? "round robin is used instead"
      : `its last good version stays in force (sha256:${usable.digest.slice(0, 12)}…)`
  return `Cannot balance with policy "${name}": ${reason}; ${instead}`
}

/** What is known of policies, by name. */
export type PolicyStates = Facts["policies"]

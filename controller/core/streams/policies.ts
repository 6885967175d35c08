import type { PolicyState } from "../../model/policy-state.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import { builtIn, policyIn } from "../options/algorithm.ts"
import { findPolicy } from "../options/balancing-policy.ts"
import type { Settings } from "../options/settings.ts"
import type { Entry } from "./entry.ts"

/** What entries may find of balancing policies. */
export interface StreamPolicies {
  readonly settings: Pick<Settings, "allowedPolicies">
  readonly find: (name: string) => PolicyState | undefined
}

/** The policy of an entry; none where it names an algorithm of wick's own. */
export function policiesOfEntry({ loadBalance }: Entry): readonly string[] {
  const name = policyIn(loadBalance)
  return name === undefined ? [] : [name]
}

/**
 * What chooses the endpoints of an entry. Where its policy cannot be used, round robin does.
 *
 * @param namespace the ConfigMap's: policies may be for some namespaces only
 */
export function declaredBalancing(
  { loadBalance, policyConfig = "" }: Pick<Entry, "loadBalance" | "policyConfig">,
  namespace: string,
  { settings, find }: StreamPolicies,
  tell: (code: ProblemCode, message: string) => void,
): Pick<DeclaredStream, "loadBalance" | "policy"> {
  if (loadBalance === undefined) return {}
  const chosen = { loadBalance: builtIn(loadBalance) }
  const name = policyIn(loadBalance)
  if (name === undefined) return chosen
  const { usable, fault } = findPolicy(name, settings, namespace, find)
  if (fault !== undefined) tell(fault.code, fault.message)
  return { ...chosen, ...(usable && { policy: { name, ...usable, config: policyConfig } }) }
}

import type { BackendPolicy } from "../../../model/backend.ts"
import type { BalancingValues } from "../../annotations/values.ts"
import type { LoadBalancing } from "../../declared/load-balancing.ts"
import { policyIn } from "../../options/algorithm.ts"
import { findPolicy } from "../../options/balancing-policy.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

/** What an Ingress says of balancing policies: the one that it names if that can be used, and what the one of the ConfigMap is to be configured with. */
export function readPolicy(
  { loadBalance, policyConfig }: BalancingValues,
  context: IngressContext,
): Pick<LoadBalancing, "policy" | "policyConfig"> {
  const name = policyIn(loadBalance)
  if (name !== undefined) {
    const policy = named(name, policyConfig ?? "", context)
    return policy === undefined ? {} : { policy }
  }
  if (policyConfig === undefined) return {}
  const hasOne = loadBalance === undefined && policyIn(context.settings.loadBalance) !== undefined
  return hasOne ? { policyConfig } : complainOfNone(context)
}

function named(name: string, config: string, context: IngressContext): BackendPolicy | undefined {
  const { settings, ingress, lookups } = context
  const find = (wanted: string) => lookups.policy(wanted)
  const { usable, fault } = findPolicy(name, settings, ingress.meta.namespace, find)
  if (fault !== undefined) complainAbout(context, "load-balance", fault.code, fault.message)
  return usable && { name, ...usable, config }
}

function complainOfNone(context: IngressContext): Record<string, never> {
  const message =
    'Annotation "policy-config" needs annotation "load-balance" with wasm/ and a name: it has no effect'
  complainAbout(context, "policy-config", "annotation-idle", message)
  return {}
}

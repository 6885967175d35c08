import { fieldPath } from "../../model/field-path.ts"
import type { PolicyState } from "../../model/policy-state.ts"
import type { Problem } from "../../model/problem.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { complaint } from "../declared/problems.ts"
import { policyIn } from "../options/algorithm.ts"
import { findPolicy, type PolicyStates } from "../options/balancing-policy.ts"
import type { Context } from "../options/context.ts"
import type { CommonPolicy } from "./backends/chosen-balancing.ts"

/** The policy that the ConfigMap names for all backends, and what is wrong with it: said once, of the ConfigMap. */
export interface DefaultPolicy {
  readonly common?: CommonPolicy
  readonly problems: readonly Problem[]
}

const noPolicy: DefaultPolicy = { problems: [] }

/** Finds it, pass by pass. */
export class DefaultPolicies {
  readonly #context: Context
  readonly #last = new LastResult<DefaultPolicy>()

  constructor(context: Context) {
    this.#context = context
  }

  /** The same object while nothing in it changes. */
  among(states: PolicyStates): DefaultPolicy {
    const name = policyIn(this.#context.settings.loadBalance)
    if (name === undefined) return noPolicy
    const state = states.get(name)
    return this.#last.of([state], () => policyNamed(name, this.#context, state))
  }
}

function policyNamed(
  name: string,
  { settings, options }: Context,
  state: PolicyState | undefined,
): DefaultPolicy {
  const { usable, fault } = findPolicy(name, settings, undefined, () => state)
  const namespaces = settings.allowedPolicies.find((policy) => policy.name === name)?.namespaces
  const object = { kind: "ConfigMap", namespace: "", name: "", ...options.configMap }
  return {
    ...(usable && { common: { policy: { name, ...usable }, ...(namespaces && { namespaces }) } }),
    problems: fault
      ? [complaint(object, fieldPath("data", ["load-balance"]), fault.code, fault.message)]
      : [],
  }
}

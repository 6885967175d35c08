import type { PolicyModule } from "../../input/policies/module.ts"
import type { AllowedPolicy } from "../../model/allowed-policy.ts"
import type { PolicyState, PolicyTrouble, UsablePolicy } from "../../model/policy-state.ts"
import { digestIn, isUnder, type Verdict } from "./verdict.ts"

/** All that is known of one policy. */
export interface Evidence {
  readonly allowed: AllowedPolicy
  /** as in the settings */
  readonly publicKey: string | null | undefined
  /** absent: no source has it */
  readonly module: PolicyModule | undefined
  /** id of the module as it has to be looked at; absent: it need not be */
  readonly candidate: string | undefined
  /** what came of that */
  readonly known: { readonly verdict?: Verdict; readonly reason?: string } | undefined
  /** ids of those that were in force, the newest first */
  readonly good: readonly string[]
  readonly verdictOf: (id: string) => Verdict | undefined
  /** in the minute in which a digest had too many; undefined: it never had */
  readonly faultsOf: (digest: string) => number | undefined
}

interface Judgement {
  readonly state: PolicyState
  /** id of what is in force; absent: nothing is */
  readonly inForce?: string
}

/** Which version of a policy is in force, and why not the one that is there. Pure. */
export function judge(evidence: Evidence): Judgement {
  const { module, candidate, publicKey, good } = evidence
  if (module === undefined) return { state: { trouble: trouble("missing", "there is no module of it") } }
  if (publicKey === null)
    return {
      state: { trouble: trouble("refused", 'the ConfigMap\'s key "policies-public-key" cannot be read') },
    }
  const ids = good.filter((id) => isUnder(id, publicKey))
  const inForce = [...(candidate === undefined ? [] : [candidate]), ...ids].find(
    (id) => usableAt(id, evidence) !== undefined,
  )
  const usable = inForce === undefined ? undefined : usableAt(inForce, evidence)
  const wrong = troubleOf(module, evidence)
  return {
    state: { ...(usable && { usable }), ...(wrong && { trouble: wrong }) },
    ...(inForce !== undefined && { inForce }),
  }
}

/** Why the module that is there is not in force; undefined when it is, or is to be soon. */
function troubleOf(module: PolicyModule, { allowed, known, faultsOf }: Evidence): PolicyTrouble | undefined {
  const { digest } = module
  if (demanded(module, allowed) === undefined)
    return trouble(
      "refused",
      `its module is sha256:${digest}, and the ConfigMap's key "policies" demands another`,
    )
  const faults = faultsOf(digest)
  if (faults !== undefined)
    return trouble("faulty", `version sha256:${digest.slice(0, 12)}… failed ${faults} times in a minute`)
  const reason = known?.verdict?.kind === "refused" ? known.verdict.reason : known?.reason
  return reason === undefined ? undefined : trouble("refused", reason)
}

function usableAt(id: string, { allowed, faultsOf, verdictOf }: Evidence): UsablePolicy | undefined {
  const digest = digestIn(id)
  const verdict = verdictOf(id)
  const isUsable =
    verdict?.kind === "compiled" && isDemanded(digest, allowed) && faultsOf(digest) === undefined
  return isUsable ? { digest, needs: verdict.needs } : undefined
}

/** The module, if it has a digest that is demanded, or none is. */
export function demanded(module: PolicyModule | undefined, allowed: AllowedPolicy): PolicyModule | undefined {
  return module !== undefined && isDemanded(module.digest, allowed) ? module : undefined
}

function isDemanded(digest: string, { digests }: AllowedPolicy): boolean {
  return digests === undefined || digests.includes(digest)
}

function trouble(kind: PolicyTrouble["kind"], reason: string): PolicyTrouble {
  return { kind, reason }
}

import type { PolicyCounters } from "../model/policy-counters.ts"
import type { ShownPolicy } from "../model/policy-state.ts"

/** `in force`: the module that is there. `refused`, `rolled back`: the version before it, or none. */
type State = "in force" | "compiling" | "missing" | "refused" | "rolled back"

/** A policy, as `--json` prints it. */
export interface PolicyInForce {
  readonly name: string
  readonly state: State
  /** of the version in force; absent: round robin takes its place */
  readonly digest?: string
  /** of the module that is there; absent: there is none */
  readonly moduleDigest?: string
  /** why that is not in force */
  readonly reason?: string
  /** names of the backends that use it */
  readonly users: readonly string[]
  readonly picks: number
  readonly declines: number
  readonly faults: number
  /** absent: not measured yet */
  readonly nanosecondsPerPick?: number
  /** workers that have it loaded */
  readonly instances: number
}

/** What there is to say of a policy. */
export function policyInForce(
  shown: ShownPolicy,
  backends: readonly { readonly name: string; readonly policy?: { readonly name: string } | undefined }[],
  counters: readonly PolicyCounters[],
): PolicyInForce {
  const { name, digest: moduleDigest, usable, trouble } = shown
  const counted = counters.find(({ policy, digest }) => policy === name && digest === usable?.digest)
  const { picks = 0, declines = 0, faults = 0, samples = 0, nanoseconds = 0, instances = 0 } = counted ?? {}
  return {
    name,
    state: stateOf(shown),
    ...(usable && { digest: usable.digest }),
    ...(moduleDigest !== undefined && { moduleDigest }),
    ...(trouble && { reason: trouble.reason }),
    users: backends.flatMap((backend) => (backend.policy?.name === name ? [backend.name] : [])),
    picks,
    declines,
    faults,
    ...(samples > 0 && { nanosecondsPerPick: Math.round(nanoseconds / samples) }),
    instances,
  }
}

function stateOf({ usable, trouble }: ShownPolicy): State {
  if (trouble === undefined) return usable === undefined ? "compiling" : "in force"
  return trouble.kind === "faulty" ? "rolled back" : trouble.kind
}

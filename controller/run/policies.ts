import type { Options } from "../core/options/flags.ts"
import { BalancingPolicies, type RememberedPolicies } from "../facts/policies/policies.ts"
import { PolicyDirectory } from "../input/policies/directory.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { sleep } from "../support/abort.ts"
import type { Log } from "../support/log.ts"
import type { Metrics } from "./metrics.ts"

/** What the parts tell each other besides changes. */
interface Wires {
  /** another version of a policy may be in force */
  readonly changed: () => void
  readonly signal: AbortSignal
  readonly metrics: Pick<Metrics, "rolledBack">
  readonly log: Log
}

/** How often the faults of policies are counted. */
const countMs = 5000

/** Policies of the flag and of the ConfigMap, compiled for this nginx; those that fail too often are taken back. */
export async function takePolicies(
  options: Options,
  plane: Pick<DataPlane, "openPolicies" | "read">,
  { changed, signal, metrics, log }: Wires,
): Promise<BalancingPolicies> {
  const compiler = await plane.openPolicies<RememberedPolicies>((err) =>
    log.warn({ err }, "Cannot keep compiled policies"),
  )
  const directory =
    options.policies === ""
      ? undefined
      : await PolicyDirectory.open({ directory: options.policies, changed, signal })
  const policies = new BalancingPolicies({
    ...(directory && { directory }),
    compiler,
    changed,
    rolledBack: (back) => {
      metrics.rolledBack(back.policy)
      log.error({ ...back }, "A balancing policy failed too often and is not in force any more")
    },
    signal,
  })
  void count(policies, plane.read, signal)
  return policies
}

/** Asks nginx only while a policy is in force. */
async function count(
  policies: BalancingPolicies,
  { policyCounters }: Pick<DataPlane["read"], "policyCounters">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (policies.areInForce) policies.count(await policyCounters(), performance.now())
    await sleep(countMs, signal)
  }
}

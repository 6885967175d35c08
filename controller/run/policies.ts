import type { Options } from "../core/options/flags.ts"
import { BalancingPolicies, type RememberedPolicies } from "../facts/policies/policies.ts"
import { PolicyDirectory } from "../input/policies/directory.ts"
import { readMachine } from "../output/nginx/machine.ts"
import { PolicyFiles } from "../output/nginx/policy-files.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import { sleep } from "../support/abort.ts"
import type { Log } from "../support/log.ts"
import type { Place, takeNginx } from "./nginx.ts"

/** What the parts tell each other besides changes. */
interface Wires {
  /** another version of a policy may be in force */
  readonly changed: () => void
  readonly signal: AbortSignal
  readonly metrics: Pick<Metrics, "policyRolledBack">
  readonly log: Log
}

type Nginx = Pick<Awaited<ReturnType<typeof takeNginx>>, "build" | "policyCounters">

/** How often the faults of policies are counted. */
const countMs = 5000

/** Policies of the flag and of the ConfigMap, compiled for this nginx; those that fail too often are taken back. */
export async function takePolicies(
  options: Options,
  { layout, installation }: Place,
  { build, policyCounters }: Nginx,
  { changed, signal, metrics, log }: Wires,
): Promise<BalancingPolicies> {
  const files = await PolicyFiles.open<RememberedPolicies>({
    layout,
    program: installation.policyProgram,
    build,
    isForOthers: readMachine().user !== undefined,
    failed: (err) => log.warn({ err }, "Cannot keep compiled policies"),
    signal,
  })
  const directory =
    options.policies === ""
      ? undefined
      : await PolicyDirectory.open({ directory: options.policies, changed, signal })
  const policies = new BalancingPolicies({
    ...(directory && { directory }),
    compiler: files,
    changed,
    rolledBack: (back) => {
      metrics.policyRolledBack(back.policy)
      log.error({ ...back }, "A balancing policy failed too often and is not in force any more")
    },
    signal,
  })
  void count(policies, policyCounters, signal)
  return policies
}

/** Asks nginx only while a policy is in force. */
async function count(
  policies: BalancingPolicies,
  counters: Nginx["policyCounters"],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (policies.areInForce) policies.count(await counters(), performance.now())
    await sleep(countMs, signal)
  }
}

import type { PolicyCounters } from "../model/policy-counters.ts"
import type { ShownPolicy } from "../model/policy-state.ts"
import { readShownPolicies } from "../output/nginx/policy-files.ts"
import { Failure } from "../support/failure.ts"
import { type Command, withRunning } from "./command.ts"
import type { InForce } from "./in-force.ts"
import { shortId } from "./notes.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

const head = ["POLICY", "STATE", "VERSION", "USERS", "PICKS", "DECLINES", "FAULTS", "NS/PICK", "NOTES"]

export const policies: Command = {
  name: "policies",
  description: [
    "Lists the policies of the ConfigMap's key policies, one line each, or shows one of them with the backends that use it.",
    "Counts are those of the version in force, over all workers since nginx was started.",
  ],
  formats: ["name"],
  run: (asked, terminal) =>
    withRunning(asked, async (inForce) => {
      const [name] = asked.operands
      const all = await policiesOf(inForce)
      const found = name === undefined ? all : [one(name, all)]
      if (asked.json) writeJson(terminal, name === undefined ? found : found[0])
      else if (asked.format === "name")
        writeLines(
          terminal,
          found.map(({ name }) => printable(name)),
        )
      else writeLines(terminal, name === undefined ? list(found, terminal) : found.flatMap(detailed))
    }),
}

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

async function policiesOf(inForce: InForce): Promise<readonly PolicyInForce[]> {
  const shown = await readShownPolicies(inForce.layout)
  const [backends, counters] = await Promise.all([inForce.backends(), inForce.policyCounters()])
  return shown.map((policy) => policyInForce(policy, backends, counters))
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

/** @throws Failure `nothing` */
function one(name: string, all: readonly PolicyInForce[]): PolicyInForce {
  const found = all.find((policy) => policy.name === name)
  if (found !== undefined) return found
  throw new Failure("nothing", `No policy "${name}" is allowed: wick policies lists those that are`)
}

function list(all: readonly PolicyInForce[], terminal: Terminal): string[] {
  const rows = all.map((policy) => [
    policy.name,
    policy.state,
    versionOf(policy),
    String(policy.users.length),
    String(policy.picks),
    String(policy.declines),
    String(policy.faults),
    String(policy.nanosecondsPerPick ?? "-"),
    policy.reason ?? "",
  ])
  const [title = "", ...lines] = aligned([head, ...rows])
  const painted = lines.map((line, at) =>
    all[at]?.reason === undefined ? line : paint(terminal, "yellow", line),
  )
  return [paint(terminal, "bold", title), ...painted]
}

function versionOf({ digest }: PolicyInForce): string {
  return digest === undefined ? "round robin" : shortId(digest)
}

/** A policy in several lines. */
export function detailed(policy: PolicyInForce): string[] {
  const { digest, moduleDigest, reason, users } = policy
  const { picks, declines, faults, nanosecondsPerPick, instances } = policy
  const time = nanosecondsPerPick === undefined ? "" : `, ${nanosecondsPerPick} ns per pick`
  const lines = [
    `${policy.name}  ${policy.state}`,
    ...(reason === undefined ? [] : [`  ${reason}`]),
    `  in force  ${digest === undefined ? "round robin" : `sha256:${digest}`}`,
    ...(moduleDigest === undefined || moduleDigest === digest ? [] : [`  module    sha256:${moduleDigest}`]),
    `  ${picks} picks, ${declines} declined, ${faults} faults${time}, in ${instances} workers`,
    ...(users.length === 0 ? ["  no backend uses it"] : users.map((user) => `  ${user}`)),
  ]
  return lines.map(printable)
}

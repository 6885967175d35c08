import type { InForce } from "../../controller/inspect/in-force.ts"
import { shortId } from "../../controller/inspect/notes.ts"
import { type PolicyInForce, policyInForce } from "../../controller/inspect/policy-in-force.ts"
import { readShownPolicies } from "../../controller/output/nginx/policy-files.ts"
import { Failure } from "../../controller/support/failure.ts"
import { type Command, withRunning } from "./command.ts"
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

async function policiesOf(inForce: InForce): Promise<readonly PolicyInForce[]> {
  const shown = await readShownPolicies(inForce.layout)
  const [backends, counters] = await Promise.all([inForce.backends(), inForce.policyCounters()])
  return shown.map((policy) => policyInForce(policy, backends, counters))
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

import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Failure, reasonOf } from "../../controller/support/failure.ts"
import { root } from "../../controller/support/root.ts"
import { type Asked, type Command, usage } from "./command.ts"
import type { Terminal } from "./terminal.ts"

// What the authors of balancing policies do. The work is done by the laboratory, which a checkout has and an installation has not.

/** Of lab/policy/main.ts. */
interface Laboratory {
  readonly verbs: Readonly<Record<string, (asked: LaboratoryAsked) => Promise<void> | void>>
}
interface LaboratoryAsked {
  readonly operand: string | undefined
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
}

const verbs = ["new", "build", "check", "test", "bench", "simulate"]

export const policy: Command = {
  name: "policy",
  words: verbs,
  description: [
    "wick policy new NAME writes a folder with a policy; the other verbs take a folder (the present one when absent) or a file with a module, NAME.wasm:",
    "",
    "  build      compiles policy.ts to build/policy.wasm",
    "  check      runs it under the limits of nginx: its imports, always a live endpoint, no growth, what policy.yaml promises",
    "  test       runs its *.test.ts",
    "  bench      nanoseconds per pick, beside the built-in policies",
    "  simulate   replays trace.jsonl in virtual time, beside the built-in policies, and draws the plots",
    "",
    "docs/policies.md leads through all of it. --runtime-dir and --json have no effect.",
  ],
  flags: [
    { name: "trace", valueName: "FILE", meaning: "simulate: another trace" },
    {
      name: "scenario",
      valueName: "NAME",
      meaning: "simulate: a trace that is made up, see npm run simulate -- --help",
    },
    { name: "beside", valueName: "NAMES", meaning: "simulate: the built-in ones (round_robin,p2c,ewma)" },
    { name: "seed", valueName: "N", meaning: "simulate: what chance goes by (1)" },
    { name: "workers", valueName: "N", meaning: "simulate: instances that share what they know (4)" },
    { name: "out", valueName: "FOLDER", meaning: "simulate: where report and plots go (build/simulation)" },
    { name: "picks", valueName: "N", meaning: "bench: picks of a round (200000)" },
  ],
  run: async ({ operands: [verb = "", operand], flags }: Asked, { write }: Terminal) => {
    if (!verbs.includes(verb))
      throw usage(policy, verb === "" ? "A verb is missing" : `There is no "wick policy ${verb}"`)
    const { verbs: all } = await laboratory()
    const last = Object.entries(flags).map(([name, values]) => [name, String(values.at(-1))] as const)
    try {
      await all[verb]?.({ operand, flags: Object.fromEntries(last), print: write })
    } catch (error) {
      throw new Failure("policy", reasonOf(error), { cause: error })
    }
  },
}

/** @throws Failure where there is none */
async function laboratory(): Promise<Laboratory> {
  const file = join(root, "lab/policy/main.ts")
  if (existsSync(file)) return import(pathToFileURL(file).href)
  throw new Failure(
    "policy",
    "This installation has no laboratory: run wick policy in a checkout of wick (docs/policies.md)",
  )
}

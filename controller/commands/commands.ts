import { Failure } from "../support/failure.ts"
import { backends } from "./backends.ts"
import { certgen } from "./certgen.ts"
import { certificates } from "./certificates.ts"
import { type Command, type CommandFlag, commonFlags, type Place, readArguments } from "./command.ts"
import { conf } from "./conf.ts"
import { convert } from "./convert.ts"
import { dbg } from "./dbg.ts"
import { diff } from "./diff.ts"
import { explain } from "./explain.ts"
import { lint } from "./lint.ts"
import { policies } from "./policies.ts"
import { policy } from "./policy.ts"
import { problem } from "./problem.ts"
import { routes } from "./routes.ts"
import { aligned } from "./table.ts"
import type { Terminal } from "./terminal.ts"
import { top } from "./top.ts"
import { ui } from "./ui.ts"
import { waitShutdown } from "./wait-shutdown.ts"

// The sub-commands: `wick NAME …` asks the nginx of a runtime directory what is in force there, `ui` its controller; `problem`, `lint` and `convert` ask nobody,
// and `diff` whoever answers at two addresses. But for wait-shutdown, which ends it, and certgen, which has to do with the cluster, nothing here changes anything.

export const commands: readonly Command[] = [
  conf,
  routes,
  backends,
  certificates,
  explain,
  top,
  ui,
  lint,
  diff,
  convert,
  policies,
  problem,
  policy,
  waitShutdown,
  dbg,
  certgen,
]

/** The command of this name; undefined when the word is none. */
export function findCommand(name: string | undefined): Command | undefined {
  return commands.find((command) => command.name === name)
}

/** @returns what is wrong, a sentence; undefined when all is well */
export async function runCommand(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
  place: Place,
): Promise<string | undefined> {
  try {
    const asked = readArguments(command, args)
    if (asked === "help") terminal.write(commandHelp(command))
    else await command.run(asked, terminal, place)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** The text of `wick NAME --help`. */
export function commandHelp({ name, operands, description, flags = [] }: Command): string {
  const all = [...flags, ...commonFlags].map(({ meaning, ...flag }) => [`  ${writtenAs(flag)}`, meaning])
  return [
    `Usage: wick ${[name, operands, "[flags]"].filter((word) => word !== "").join(" ")}`,
    "",
    ...description,
    "",
    ...aligned(all),
    "",
  ].join("\n")
}

function writtenAs({ name, valueName }: Pick<CommandFlag, "name" | "valueName">): string {
  return valueName === undefined ? `--${name}` : `--${name} ${valueName}`
}

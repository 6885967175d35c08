import type { InForce } from "../../controller/inspect/in-force.ts"
import { readArguments } from "../../controller/support/arguments.ts"
import { Failure } from "../../controller/support/failure.ts"
import type { Screen } from "./screen.ts"
import type { Terminal } from "./terminal.ts"

/** A sub-command: it has to do with what runs. */
export interface Command {
  readonly name: string
  /** whole sentences */
  readonly description: readonly string[]
  /** besides those that all have */
  readonly flags?: readonly CommandFlag[]
  /** what `--output` may be besides `json` and `yaml` */
  readonly formats?: readonly ("wide" | "name")[]
  /** what its first operand may be, where that is one of a few words */
  readonly words?: readonly string[]
  /** @throws Failure when it cannot do what it is asked for */
  readonly run: (asked: Asked, terminal: Terminal, place: Place) => Promise<void>
}

/** A sub-command as the list of all knows it: what it does is loaded when it is called. */
export interface ListedCommand {
  readonly name: string
  /** the words behind the name, as in `[HOST [PATH]]` */
  readonly operands: string
  /** a phrase that fits a line of the list */
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Commands by what they are for. */
export type Topics = Readonly<Record<string, readonly ListedCommand[]>>

/** Where a command runs. */
export interface Place {
  /** where Kubernetes tells a Pod that the API server is; "" outside of a cluster */
  readonly service: { readonly host: string; readonly port: string }
  /** of this program, as `1.2.3` */
  readonly release: string
  /** it was built from; "" in a checkout */
  readonly commit: string
  /** all commands that there are */
  readonly topics: Topics
  /** Aborts when somebody wants it to end with what it has so far. From the first call on that no longer ends the process. */
  readonly interrupted?: () => AbortSignal
  /** Takes the terminal; absent where there is none to draw on and type into. */
  readonly screen?: () => Screen
}

export interface CommandFlag {
  readonly name: string
  /** one letter that may stand for it behind a single dash */
  readonly short?: string
  /** the word for its value; absent for a switch */
  readonly valueName?: string
  /** what its value may be, where that is one of a few words */
  readonly words?: readonly string[]
  readonly meaning: string
}

type Format = "text" | "json" | "yaml" | "wide" | "name"

/** What stands on the command line. */
export interface Asked {
  readonly operands: readonly string[]
  readonly runtimeDir: string
  readonly format: Format
  /** a value is wanted: as JSON, or as YAML, which the terminal knows */
  readonly json: boolean
  /** of the command's own flags: every occurrence, `true` for a switch */
  readonly flags: Readonly<Record<string, readonly (string | true)[]>>
}

/** What every command understands. */
export function commonFlags({ formats = [] }: Pick<Command, "formats">): readonly CommandFlag[] {
  const words = ["json", "yaml", ...formats]
  return [
    {
      name: "runtime-dir",
      valueName: "DIR",
      meaning: "as the controller's; when absent where it works by default",
    },
    { name: "output", short: "o", valueName: "FORMAT", words, meaning: `print ${words.join(", ")}` },
    { name: "json", meaning: "print JSON, as --output json" },
    { name: "help", short: "h", meaning: "print this and exit" },
  ]
}

/** Reads the arguments behind the name of a command. @returns `help` when that is all that is wanted @throws Failure `usage` */
export function readAsked(command: Command, operands: string, args: readonly string[]): Asked | "help" {
  const given = flagsGiven(command, args)
  if (given.flags.help) return "help"
  const maxOperands = operands === "" ? 0 : operands.split(" ").length
  if (given.operands.length > maxOperands)
    throw usage(command, `Unexpected argument "${given.operands.at(-1)}"`)
  const format = formatOf(command, given)
  return {
    ...given,
    runtimeDir: one(given, "runtime-dir"),
    format,
    json: format === "json" || format === "yaml",
  }
}

function flagsGiven(command: Command, args: readonly string[]): Pick<Asked, "operands" | "flags"> {
  const known = [...commonFlags(command), ...(command.flags ?? [])]
  const shapes = new Map(
    known.map(({ name, short, valueName }) => [name, { isToggle: valueName === undefined, short }]),
  )
  const { occurrences, operands, errors } = readArguments(args, shapes)
  const [wrong] = errors
  if (wrong !== undefined) throw usage(command, wrong)
  const flags: Record<string, (string | true)[]> = {}
  for (const { name, text } of occurrences) {
    const isToggle = shapes.get(name)?.isToggle
    if (isToggle && text !== "true") throw usage(command, `Cannot use --${name}=${text}: it takes no value`)
    flags[name] = [...(flags[name] ?? []), isToggle ? true : text]
  }
  return { operands, flags }
}

/** @throws Failure `usage` */
function formatOf(command: Command, given: Pick<Asked, "flags">): Format {
  const text = one(given, "output")
  if (text === "") return given.flags.json === undefined ? "text" : "json"
  const formats = ["json", "yaml", ...(command.formats ?? [])] as const
  const format = formats.find((format) => format === text)
  if (format !== undefined) return format
  throw usage(command, `Cannot use --output=${text}, write ${formats.join(" or ")}`)
}

/** The last occurrence of a flag; "" without one. */
export function one({ flags }: Pick<Asked, "flags">, name: string): string {
  const value = flags[name]?.at(-1)
  return typeof value === "string" ? value : ""
}

/** @param what a sentence, without its dot */
export function usage({ name }: Pick<Command, "name">, what: string): Failure {
  return new Failure("usage", `${what}: wick ${name} --help says how to write it`)
}

/** Does something with what runs, and lets go of it. @throws Failure `not-running` */
export async function withRunning<T>(
  { runtimeDir }: Asked,
  look: (inForce: InForce) => Promise<T>,
): Promise<T> {
  const { InForce } = await import("../../controller/inspect/in-force.ts")
  const inForce = await InForce.find(runtimeDir)
  try {
    return await look(inForce)
  } finally {
    inForce.close()
  }
}

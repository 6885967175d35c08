import { type ParseArgsConfig, parseArgs } from "node:util"
import { Failure, reasonOf } from "../support/failure.ts"
import { InForce } from "./in-force.ts"
import type { Screen } from "./screen.ts"
import type { Terminal } from "./terminal.ts"

/** A sub-command: it has to do with what runs. */
export interface Command {
  readonly name: string
  /** the words behind the name, as in `[HOST [PATH]]` */
  readonly operands: string
  /** one line, for the list of commands */
  readonly summary: string
  /** whole sentences */
  readonly description: readonly string[]
  /** besides those that all have */
  readonly flags?: readonly CommandFlag[]
  /** @throws Failure when it cannot do what it is asked for */
  readonly run: (asked: Asked, terminal: Terminal, place: Place) => Promise<void>
}

/** Where a command runs. */
export interface Place {
  /** where Kubernetes tells a Pod that the API server is; "" outside of a cluster */
  readonly service: { readonly host: string; readonly port: string }
  /** of this program, as `1.2.3` */
  readonly release: string
  /** Aborts when somebody wants it to end with what it has so far. From the first call on that no longer ends the process. */
  readonly interrupted?: () => AbortSignal
  /** Takes the terminal; absent where there is none to draw on and type into. */
  readonly screen?: () => Screen
}

export interface CommandFlag {
  readonly name: string
  /** the word for its value; absent for a switch */
  readonly valueName?: string
  readonly meaning: string
}

/** What stands on the command line. */
export interface Asked {
  readonly operands: readonly string[]
  readonly runtimeDir: string
  readonly json: boolean
  /** of the command's own flags: every occurrence, `true` for a switch */
  readonly flags: Readonly<Record<string, readonly (string | true)[]>>
}

/** What every command understands. */
export const commonFlags: readonly CommandFlag[] = [
  {
    name: "runtime-dir",
    valueName: "DIR",
    meaning: "as the controller's; when absent where it works by default",
  },
  { name: "json", meaning: "print JSON" },
  { name: "help", meaning: "print this and exit" },
]

/** Reads the arguments behind the name of a command. @returns `help` when that is all that is wanted @throws Failure `usage` */
export function readArguments(command: Command, args: readonly string[]): Asked | "help" {
  const all = [...commonFlags, ...(command.flags ?? [])]
  const options = Object.fromEntries(
    all.map(
      ({ name, valueName }) => [name, { type: valueName ? "string" : "boolean", multiple: true }] as const,
    ),
  )
  const { values, positionals } = parse(command, { args: [...args], options, allowPositionals: true })
  const given = values as Readonly<Record<string, readonly (string | true)[]>>
  if (given.help) return "help"
  const maxOperands = command.operands.split(" ").length
  if (positionals.length > (command.operands === "" ? 0 : maxOperands)) {
    throw usage(command, `Unexpected argument "${positionals.at(-1)}"`)
  }
  const runtimeDir = String(given["runtime-dir"]?.at(-1) ?? "")
  return { operands: positionals, runtimeDir, json: given.json !== undefined, flags: given }
}

function parse(command: Command, config: ParseArgsConfig) {
  try {
    return parseArgs(config)
  } catch (error) {
    const [sentence = ""] = reasonOf(error).split(". ")
    throw usage(command, sentence)
  }
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
  const inForce = await InForce.find(runtimeDir)
  try {
    return await look(inForce)
  } finally {
    inForce.close()
  }
}

import { Failure } from "../../controller/support/failure.ts"
import { nearest } from "../../controller/support/nearest.ts"
import { type Command, type CommandFlag, commonFlags, type ListedCommand, type Topics } from "./command.ts"
import { aligned } from "./table.ts"

// How commands are found and what is said of them.

/** @throws Failure `usage` */
export function findCommand(name: string, topics: Topics): ListedCommand {
  const all = Object.values(topics).flat()
  const found = all.find((command) => command.name === name)
  if (found !== undefined) return found
  const known = nearest(
    name,
    all.map((command) => command.name),
  )
  const meant = known === undefined ? "" : `, did you mean ${known}`
  throw new Failure("usage", `There is no command "${name}"${meant}: wick help lists all of them`)
}

/** The text of `wick --help`, which fits a small screen. */
export function overview(topics: Topics): string {
  const { "For Pods": others = [], ...shown } = topics
  const all = Object.values(shown).flat()
  const rows = aligned(
    all.map(({ name, operands, summary }) => [`  ${`${name} ${operands}`.trim()}`, summary]),
  )
  const texts = new Map(all.map(({ name }, at) => [name, rows[at] ?? ""]))
  return [
    "Usage: wick COMMAND [flags]; without one the controller starts: see --help-flags",
    ...Object.entries(shown).flatMap(([title, list]) => [
      `${title}:`,
      ...list.map(({ name }) => texts.get(name)),
    ]),
    `For Pods: ${others.map(({ name }) => name).join(", ")}. wick help COMMAND says how one is used.`,
    "",
  ].join("\n")
}

/** The text of `wick NAME --help`. */
export function commandHelp(
  { name, operands }: ListedCommand,
  { description, flags = [], formats }: Command,
): string {
  const all = [...flags, ...commonFlags({ ...(formats && { formats }) })].map((flag) => [
    `  ${writtenAs(flag)}`,
    flag.meaning,
  ])
  return [
    `Usage: wick ${[name, operands, "[flags]"].filter((word) => word !== "").join(" ")}`,
    "",
    ...description,
    "",
    ...aligned(all),
    "",
  ].join("\n")
}

function writtenAs({ name, short, valueName }: Pick<CommandFlag, "name" | "short" | "valueName">): string {
  const letter = short === undefined ? "" : `-${short}, `
  return `${letter}--${name}${valueName === undefined ? "" : ` ${valueName}`}`
}

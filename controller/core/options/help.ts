import type { Flag } from "./flag.ts"
import { flagTable } from "./flag-table.ts"

/** A sub-command, for the list of them. */
export interface CommandLine {
  readonly name: string
  readonly operands: string
  readonly summary: string
}

/** The text of `--help`. @param width columns of the terminal */
export function help(commands: readonly CommandLine[], width = 110): string {
  const lines = Object.entries<Flag<unknown>>(flagTable).map(([name, flag]) => entry(name, flag, width))
  return [
    "Usage: wick --manifests DIR [flags]",
    "",
    "Keeps an nginx configured from Kubernetes Ingresses. Flags are written --name=value or --name value.",
    "",
    ...lines,
    "",
    "What runs can be looked at; each command has a --help of its own:",
    "",
    ...commands.map(({ name, operands, summary }) => `  wick ${`${name} ${operands}`.padEnd(36)} ${summary}`),
    "",
  ].join("\n")
}

function entry(name: string, flag: Flag<unknown>, width: number): string {
  const short = flag.short ? `-${flag.short}, ` : ""
  const head = `  ${short}--${name}${flag.valueName ? ` ${flag.valueName}` : ""}`
  const { unused } = flag
  const idle =
    unused === undefined ? "" : "planned" in unused ? "; no effect yet" : `; no effect: ${unused.ignored}`
  const shown = flag.shownDefault === "" ? "" : ` (default ${flag.shownDefault})`
  return [head, ...wrap(`${flag.meaning}${idle}${shown}`, width - 6).map((line) => `      ${line}`)].join(
    "\n",
  )
}

function wrap(text: string, width: number): readonly string[] {
  const lines = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? ""
    if (last.length + 1 + word.length <= width || last === "")
      lines[lines.length - 1] = `${last} ${word}`.trimStart()
    else lines.push(word)
  }
  return lines
}

import { type Flag, idleReason } from "./flag.ts"
import { flagFamilies } from "./flag-table.ts"

/** The text of `--help-flags`. @param width columns of the terminal */
export function flagHelp(width = 110): string {
  const families = Object.entries<Readonly<Record<string, Flag<unknown>>>>(flagFamilies)
  return [
    "Flags of the controller, written --name=value or --name value.",
    ...families.flatMap(([title, flags]) => ["", `${title}:`, "", ...entries(flags, width)]),
    "",
  ].join("\n")
}

function entries(flags: Readonly<Record<string, Flag<unknown>>>, width: number): string[] {
  return Object.entries(flags).map(([name, flag]) => entry(name, flag, width))
}

function entry(name: string, flag: Flag<unknown>, width: number): string {
  const short = flag.short ? `-${flag.short}, ` : ""
  const head = `  ${short}--${name}${flag.valueName ? ` ${flag.valueName}` : ""}`
  const reason = idleReason(flag)
  const idle = reason === undefined ? "" : `; no effect: ${reason}`
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

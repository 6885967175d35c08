import type { Flag } from "../../controller/core/options/flag.ts"
import { flagTable } from "../../controller/core/options/flag-table.ts"
import { code, table } from "./markdown.ts"

/** Text of docs/reference/flags.md. */
export function flagsPage(): string {
  const flags = Object.entries<Flag<unknown>>(flagTable)
  const idle = flags.filter(([, flag]) => flag.isWithoutEffect).map(([name]) => code(`--${name}`))
  return `# Flags

Printed by \`npm run docs\` from \`controller/core/options/flag-table.ts\`. Written \`--name=value\` or \`--name value\`; a switch may stand alone.

${table(["flag", "default", "what it does"], flags.filter(([, flag]) => !flag.isWithoutEffect).map(row))}

Accepted without effect so far, with a warning: ${idle.join(", ")}.
`
}

function row([name, { valueName, shownDefault, meaning, short }]: [string, Flag<unknown>]): string[] {
  const long = code(valueName === undefined ? `--${name}` : `--${name} ${valueName}`)
  return [
    short === undefined ? long : `${long}, ${code(`-${short}`)}`,
    shownDefault === "" ? "–" : code(shownDefault),
    meaning,
  ]
}

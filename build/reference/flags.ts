import type { Flag } from "../../controller/core/options/flag.ts"
import { flagTable } from "../../controller/core/options/flag-table.ts"
import { none } from "../../controller/core/options/usage.ts"
import { anchored, code, table } from "./markdown.ts"

const flags = Object.entries<Flag<unknown>>(flagTable)

/** Text of docs/reference/flags.md. */
export function flagsPage(): string {
  return `# Flags

Printed by \`npm run docs\` from \`controller/core/options/flags/\`. Written \`--name=value\` or \`--name value\`; a switch may stand alone.

${table(["flag", "default", "what it does"], flags.filter(([, { unused }]) => unused === undefined).map(row))}

${unneededSection()}

${refusedSection()}
`
}

function unneededSection(): string {
  const rows = flags.flatMap(([name, { unused = {} }]) =>
    "unneeded" in unused ? [idleRow(name, unused.unneeded)] : [],
  )
  return `## Nothing to do

Accepted: what they are about does not arise. Another value than the default gets a warning.

${table(["flag", "because"], rows)}`
}

function refusedSection(): string {
  const rows = flags.flatMap(([name, { unused = {} }]) =>
    "refused" in unused ? [idleRow(name, unused.refused)] : [],
  )
  return `## Refused

Accepted, so that the arguments of a Deployment may stay; what they ask for is not done. Another value than the default gets a warning.

${table(["flag", "because"], rows)}`
}

function idleRow(name: string, reason: string): string[] {
  return [anchored(name, code(`--${name}`)), reason]
}

function row([name, { valueName, shownDefault, meaning, short }]: [string, Flag<unknown>]): string[] {
  const long = code(valueName === undefined ? `--${name}` : `--${name} ${valueName}`)
  return [
    anchored(name, short === undefined ? long : `${long}, ${code(`-${short}`)}`),
    shownDefault === "" ? none : code(shownDefault),
    meaning,
  ]
}

import type { Flag } from "../../controller/core/options/flag.ts"
import { flagTable } from "../../controller/core/options/flag-table.ts"
import { none } from "../../controller/core/options/usage.ts"
import { anchored, code, plannedList, table } from "./markdown.ts"

const flags = Object.entries<Flag<unknown>>(flagTable)

/** Text of docs/reference/flags.md. */
export function flagsPage(): string {
  return `# Flags

Printed by \`npm run docs\` from \`controller/core/options/flags/\`. Written \`--name=value\` or \`--name value\`; a switch may stand alone.

${table(["flag", "default", "what it does"], flags.filter(([, { unused }]) => unused === undefined).map(row))}

## Planned

Accepted without effect so far, with a warning.

${plannedList(plannedFlags.map(({ name, planned }) => ({ name: `--${name}`, planned })))}

## Without effect

Accepted, with a warning.

${ignoredList()}
`
}

/** Flags that have no effect yet. */
export const plannedFlags = flags.flatMap(([name, { unused = {} }]) =>
  "planned" in unused ? [{ name, planned: unused.planned }] : [],
)

/** Flags that are never to have one. */
export const ignoredFlags = flags.flatMap(([name, { unused = {} }]) =>
  "ignored" in unused ? [{ name, reason: unused.ignored }] : [],
)

function ignoredList(): string {
  const byReason = Map.groupBy(ignoredFlags, ({ reason }) => reason)
  return [...byReason]
    .map(([reason, flags]) => `- ${flags.map(({ name }) => code(`--${name}`)).join(", ")}: ${reason}`)
    .join("\n")
}

function row([name, { valueName, shownDefault, meaning, short }]: [string, Flag<unknown>]): string[] {
  const long = code(valueName === undefined ? `--${name}` : `--${name} ${valueName}`)
  return [
    anchored(name, short === undefined ? long : `${long}, ${code(`-${short}`)}`),
    shownDefault === "" ? none : code(shownDefault),
    meaning,
  ]
}

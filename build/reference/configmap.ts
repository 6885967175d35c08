import { type KeyEntry, type Section, sections, type UnneededKey } from "../../controller/core/options/key.ts"
import { keys, plannedKeys, unneededKeys } from "../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../controller/core/options/keys/unused.ts"
import { none } from "../../controller/core/options/usage.ts"
import { code, item, plannedList, table } from "./markdown.ts"
import { type Outcome, outcomeOfKey } from "./trial.ts"

const outcomes: Readonly<Record<Outcome, string>> = {
  reload: "reload",
  post: "no reload",
  nothing: "no reload",
}

const heads = ["key", "values", "example", "default", "what it does", "a change"]

/** Text of docs/reference/configmap.md. */
export function configMapPage(): string {
  return `# Keys of the ConfigMap

Printed by \`npm run docs\` from \`controller/core/options/\`. The ConfigMap is the one that \`--configmap\` names. What a change costs was tried out with the
example. A value that cannot be used is ignored with a Problem, and the last good one stays in force.

${sections.map(section).join("\n\n")}

## Planned

Without effect so far: using one is a Problem.

${plannedList(plannedKeys)}

## Without effect

Leftovers that ingress-nginx itself does nothing with.

${[...unusedKeys].sort().map(item).join("\n")}
`
}

function section(title: Section): string {
  const rows = [...keys, ...unneededKeys].filter((entry) => entry.section === title).map(row)
  return `## ${title}\n\n${table(heads, rows)}`
}

function row(entry: KeyEntry | UnneededKey): string[] {
  const { name, values, example, shownExample = example, description } = entry
  return [
    code(name),
    values,
    code(shownExample),
    defaultOf(entry),
    description,
    outcomes[outcomeOfKey(entry)],
  ]
}

function defaultOf(entry: KeyEntry | UnneededKey): string {
  if (!("default" in entry)) return entry.shownDefault
  if (entry.shownDefault !== undefined) return entry.shownDefault
  if (entry.default === "") return none
  return /^\d+$/.test(entry.default) ? entry.default : code(entry.default)
}

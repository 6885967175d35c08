import { type KeyEntry, type Section, sections, type UnneededKey } from "../../controller/core/options/key.ts"
import { keys, plannedKeys, unneededKeys } from "../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../controller/core/options/keys/unused.ts"
import { none } from "../../controller/core/options/usage.ts"
import { anchored, code, item, linksTo, plannedList, table, valuesAndExample } from "./markdown.ts"
import { type Outcome, outcomeOfKey } from "./trial.ts"

const outcomes: Readonly<Record<Outcome, string>> = { reload: "reload", post: none, nothing: none }

const heads = ["key", "default", "values", "what it does", "a change"]

/** Text of docs/reference/configmap.md. */
export function configMapPage(): string {
  return `# Keys of the ConfigMap

Printed by \`npm run docs\` from \`controller/core/options/\`. The ConfigMap is the one that \`--configmap\` names. Each key is also the name of
an anchor, as in [configmap.md#proxy-body-size](#proxy-body-size).

- *Reload*: a change reloads nginx. This was tried out with the example. All others are data.
- A value that cannot be used is ignored with a Problem, and the last good one stays in force.

${linksTo(sections).join(" · ")} · [Planned](#planned)

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
    anchored(name, code(name)),
    defaultOf(entry),
    valuesAndExample(values, shownExample),
    description,
    outcomes[outcomeOfKey(entry)],
  ]
}

/** What holds without the key. */
export function defaultOf(entry: KeyEntry | UnneededKey): string {
  if (!("default" in entry)) return entry.shownDefault
  if (entry.shownDefault !== undefined) return entry.shownDefault
  if (entry.default === "") return none
  return /^\d+$/.test(entry.default) ? entry.default : code(entry.default)
}

import { type KeyEntry, type Section, sections, type UnneededKey } from "../../controller/core/options/key.ts"
import { keys, unneededKeys } from "../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../controller/core/options/keys/unused.ts"
import { none } from "../../controller/core/options/usage.ts"
import { anchored, code, linksTo, table, valuesAndExample } from "./markdown.ts"
import { type Outcome, outcomeOfKey } from "./trial.ts"

const outcomes: Readonly<Record<Outcome, string>> = { reload: "reload", post: none, nothing: none }

const heads = ["key", "default", "values", "what it does", "a change"]

const leftovers = "Leftovers"

/** Text of docs/reference/configmap.md. */
export function configMapPage(): string {
  return `# Keys of the ConfigMap

Printed by \`npm run docs\` from \`controller/core/options/\`. The ConfigMap is the one that \`--configmap\` names. Each key is also the name of
an anchor, as in [configmap.md#proxy-body-size](#proxy-body-size).

- *Reload*: a change reloads nginx. This was tried out with the example. All others are data.
- A value that cannot be used is ignored with a Problem, and the last good one stays in force.
- *Nothing to do*: what it is about does not arise. The reason stands beside it; [coverage.md](coverage.md) has all names of ingress-nginx in one list.

${linksTo([...sections, leftovers]).join(" · ")}

${sections.map(section).join("\n\n")}

## ${leftovers}

ingress-nginx documents or takes them, and neither it nor nginx does anything with them. Using one is a Problem.

${table(["key", "instead"], Object.entries(unusedKeys).map(unusedRow))}
`
}

function section(title: Section): string {
  const rows = [...keys, ...unneededKeys].filter((entry) => entry.section === title).map(row)
  return `## ${title}\n\n${table(heads, rows)}`
}

function row(entry: KeyEntry | UnneededKey): string[] {
  const { name, values, example, shownExample = example } = entry
  return [
    anchored(name, code(name)),
    defaultOf(entry),
    valuesAndExample(values, shownExample),
    "unneeded" in entry ? `*Nothing to do:* ${entry.unneeded}` : entry.description,
    outcomes[outcomeOfKey(entry)],
  ]
}

function unusedRow([name, instead]: readonly [string, string]): string[] {
  return [anchored(name, code(name)), instead]
}

/** What holds without the key. */
export function defaultOf(entry: KeyEntry | UnneededKey): string {
  if (!("default" in entry)) return entry.shownDefault
  if (entry.shownDefault !== undefined) return entry.shownDefault
  if (entry.default === "") return none
  return /^\d+$/.test(entry.default) ? entry.default : code(entry.default)
}

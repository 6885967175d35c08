import { type About, families } from "../../controller/core/options/about.ts"
import { keys } from "../../controller/core/options/key-table.ts"
import {
  keysOfNoUse,
  keysWithoutEffect,
  keysWithoutNeed,
} from "../../controller/core/options/keys-without-effect.ts"
import { code, item, table } from "./markdown.ts"
import { type Outcome, outcomeOfKey } from "./trial.ts"

const outcomes: Readonly<Record<Outcome, string>> = {
  reload: "reload",
  post: "no reload",
  nothing: "no reload",
}

const heads = ["key", "values", "example", "default", "what it does", "a change"]

const known = new Set<string>([...keys.map(({ name }) => name), ...keysWithoutNeed])

/** Text of docs/reference/configmap.md. */
export function configMapPage(): string {
  const sections = Object.entries(families).map(([title, family]) => section(title, Object.entries(family)))
  return `# Keys of the ConfigMap

Printed by \`npm run docs\` from \`controller/core/options/\`. The ConfigMap is the one that \`--configmap\` names. What a change costs was tried out with the
example. A value that cannot be used is ignored with a Problem, and the last good one stays in force.

${sections.filter((text) => text !== "").join("\n\n")}

## Without effect so far

Using one is a Problem.

${[...keysWithoutEffect].sort().map(item).join("\n")}

## Without effect

Leftovers that ingress-nginx itself does nothing with.

${[...keysOfNoUse].sort().map(item).join("\n")}
`
}

function section(title: string, family: readonly (readonly [string, About])[]): string {
  const rows = family.filter(([name]) => known.has(name)).map(([name, about]) => row(name, about))
  return rows.length === 0 ? "" : `## ${title}\n\n${table(heads, rows)}`
}

function row(name: string, { values, example, initial, effect, shown }: About): string[] {
  const outcome = outcomeOfKey(name, example)
  return [code(name), values, code(shown ?? example), initial, effect, outcomes[outcome]]
}

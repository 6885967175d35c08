import { type About, families } from "../../controller/core/annotations/about.ts"
import type { Annotation } from "../../controller/core/annotations/entry.ts"
import { annotations } from "../../controller/core/annotations/table.ts"
import { namesWithoutEffect } from "../../controller/core/annotations/without-effect.ts"
import { ownPrefix } from "../../controller/core/options/conflicts.ts"
import { code, item, table } from "./markdown.ts"
import { type Outcome, outcomeOfAnnotation } from "./trial.ts"

const outcomes: Readonly<Record<Outcome, string>> = {
  reload: "reload, unless another Ingress has the same combination",
  post: "no reload",
  nothing: "no reload",
}

const heads = [
  "annotation",
  "values",
  "example",
  "default",
  "what it does",
  "a change",
  "for",
  "risk",
  "since",
]

/** Text of docs/reference/annotations.md. */
export function annotationsPage(): string {
  const sections = Object.entries(families).map(([title, family]) => section(title, Object.entries(family)))
  return `# Annotations

Printed by \`npm run docs\` from \`controller/core/annotations/\`. Names have the prefix \`nginx.ingress.kubernetes.io/\` (\`--annotations-prefix\`), those of
wick's own \`${ownPrefix}/\`. What a change costs was tried out with the example. A value that cannot be used is ignored with a Problem, and the default applies.

${sections.filter((text) => text !== "").join("\n\n")}

## Without effect so far

Using one is a Problem.

${[...namesWithoutEffect].sort().map(item).join("\n")}
`
}

function section(title: string, family: readonly (readonly [string, About])[]): string {
  const rows = family.flatMap(([name, about]) => {
    const entry = annotations.find((candidate) => candidate.name === name)
    return entry === undefined ? [] : [row(entry, about)]
  })
  return rows.length === 0 ? "" : `## ${title}\n\n${table(heads, rows)}`
}

function row(entry: Annotation, { values, example, initial, effect, beside = {} }: About): string[] {
  const outcome = outcomeOfAnnotation(keyOf(entry), example, beside)
  const { scope, risk, since } = entry
  return [namesOf(entry), values, code(example), initial, effect, outcomes[outcome], scope, risk, since]
}

function keyOf({ name, isOwn }: Annotation): string {
  return isOwn ? `${ownPrefix}/${name}` : name
}

function namesOf(entry: Annotation): string {
  const also = (entry.aliases ?? []).map(code).join(", ")
  return also === "" ? code(keyOf(entry)) : `${code(keyOf(entry))}, also ${also}`
}

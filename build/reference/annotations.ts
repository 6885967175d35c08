import { type Section, sections } from "../../controller/core/annotations/entry.ts"
import { type Annotation, annotations, plannedAnnotations } from "../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../controller/core/options/conflicts.ts"
import { code, plannedList, table } from "./markdown.ts"
import { keyOf, type Outcome, outcomeOfAnnotation } from "./trial.ts"

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
  return `# Annotations

Printed by \`npm run docs\` from \`controller/core/annotations/\`. Names have the prefix \`nginx.ingress.kubernetes.io/\` (\`--annotations-prefix\`), those of
wick's own \`${ownPrefix}/\`. What a change costs was tried out with the example. A value that cannot be used is ignored with a Problem, and the default applies.

${sections.map(section).join("\n\n")}

## Planned

Without effect so far: using one is a Problem.

${plannedList(plannedAnnotations)}
`
}

function section(title: Section): string {
  const rows = annotations.filter((entry) => entry.section === title).map(row)
  return `## ${title}\n\n${table(heads, rows)}`
}

function row(entry: Annotation): string[] {
  const { values, example, default: initial, description, scope, risk, since } = entry
  const outcome = outcomes[outcomeOfAnnotation(entry)]
  return [namesOf(entry), values, code(example), initial, description, outcome, scope, risk, since]
}

function namesOf(entry: Annotation): string {
  return [keyOf(entry), ...(entry.aliases ?? [])].map(code).join(", also ")
}

import { fromConfigMap, type Section, sections } from "../../controller/core/annotations/entry.ts"
import { type Annotation, annotations } from "../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../controller/core/options/conflicts.ts"
import { keys } from "../../controller/core/options/key-table.ts"
import { defaultOf } from "./configmap.ts"
import { anchored, code, linksTo, table, valuesAndExample } from "./markdown.ts"
import { keyOf, type Outcome, outcomeOfAnnotation } from "./trial.ts"

/** What is so of most annotations is said once, above the tables. */
const usual = { scope: "location" as const, risk: "low", since: "0.1.0" }

const scopes: Readonly<Record<Exclude<Annotation["scope"], "location">, string>> = {
  ingress: "for the whole Ingress",
  server: "for the whole host",
}

const heads = ["annotation", "default", "values", "what it does"]

/** Text of docs/reference/annotations.md. */
export function annotationsPage(): string {
  return `# Annotations

Printed by \`npm run docs\` from \`controller/core/annotations/\`. Names have the prefix \`nginx.ingress.kubernetes.io/\` (\`--annotations-prefix\`), those of
wick's own \`${ownPrefix}/\`. Each name is also the name of an anchor, as in [annotations.md#rewrite-target](#rewrite-target).

- Unless its row says otherwise, an annotation acts on the paths of its Ingress, a change needs no reload, its risk level is \`low\`, and it is there since ${usual.since}.
- *Reload*: a change reloads nginx, unless another Ingress has the same combination already. This was tried out with the example.
- *Risk*: what \`annotations-risk-level\` of the ConfigMap is compared with.
- A value that cannot be used is ignored with a Problem, and the default applies.
- *Nothing to do*: what it is about does not arise. *Refused*: what it asks for is not done. The reason stands beside it; [coverage.md](coverage.md) has all names of ingress-nginx in one list.

${linksTo(sections).join(" · ")}

${sections.map(section).join("\n\n")}
`
}

function section(title: Section): string {
  const rows = annotations.filter((entry) => entry.section === title).map(row)
  return `## ${title}\n\n${table(heads, rows)}`
}

function row(entry: Annotation): string[] {
  const { values, example } = entry
  const remarks = remarksOf(entry, outcomeOfAnnotation(entry))
  const unusual = remarks.length === 0 ? "" : `. *${capital(remarks.join(", "))}*`
  return [
    namesOf(entry),
    defaultFor(entry),
    valuesAndExample(values, example),
    `${descriptionOf(entry)}${unusual}`,
  ]
}

function descriptionOf({ idle, description }: Annotation): string {
  if (idle === undefined) return description
  return `*${idle === "unneeded" ? "Nothing to do" : "Refused"}:* ${description}`
}

/** What holds without the annotation: that of the ConfigMap's key has the same name nearly always. */
function defaultFor({ name, default: initial }: Annotation): string {
  const key = keys.find((key) => key.name === name)
  if (initial !== fromConfigMap || key === undefined) return initial
  return `${defaultOf(key)}, or the [key](configmap.md#${name})`
}

/** What is not as for most. */
function remarksOf({ scope, risk, since }: Annotation, outcome: Outcome): string[] {
  return [
    ...(outcome === "reload" ? ["reload"] : []),
    ...(scope === usual.scope ? [] : [scopes[scope]]),
    ...(risk === usual.risk ? [] : [`risk ${risk}`]),
    ...(since === usual.since ? [] : [`since ${since}`]),
  ]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function namesOf(entry: Annotation): string {
  const names = [keyOf(entry), ...(entry.aliases ?? [])].map(code).join(", also ")
  return anchored(entry.name, names)
}

import { type Section, sections } from "../../controller/lint/differences/sections.ts"
import { anchorOf, table } from "./markdown.ts"

const heads = ["what", "ingress-nginx", "wick", "why"]

const head = `# Differences from ingress-nginx

Printed by \`npm run docs\` from \`controller/lint/differences/\`, which [\`wick lint\`](lint.md) holds your Ingresses against.

What wick does differently on purpose. Search for your annotation, ConfigMap key or flag; rows without one are named by what you see.
[reference/](reference/) lists what has an effect today and what is planned.

- **Problem**: an error or warning about one object. It appears in the log, as a metric and as an Event ([reference/problems.md](reference/problems.md)).
- **Denied**: the paths of the Ingress answer 503, and a Problem says why.
- **Posted**: sent to the running nginx. No reload.
- **Manifests mode**: wick reads a directory (\`--manifests\`) instead of an API server.
`

/** Text of docs/differences.md. */
export function differencesPage(): string {
  const contents = sections.map(({ title }) => `[${title}](#${anchorOf(title)})`).join(" ·\n")
  const text = [head, `Contents: ${contents}\n`, ...sections.map(printed)].join("\n")
  return text.replaceAll("|  |", "| |")
}

function printed({ title, note, rows }: Section): string {
  const cells = Object.values(rows).map(({ what, before, now, why = "" }) => [what, before, now, why])
  return `## ${title}\n\n${note === undefined ? "" : `${note}\n\n`}${table(heads, cells)}\n`
}

import { countsTable } from "./counts.ts"
import { code, table } from "./markdown.ts"
import { type Kind, kinds, type Standing } from "./standing.ts"

/** Text of docs/reference/coverage.md. */
export function coveragePage(): string {
  return `# All of ingress-nginx

Printed by \`npm run docs\`. Every annotation, key of the ConfigMap and flag that ingress-nginx 1.15 knows, and what becomes of it:

${countsTable("")}

- **In effect**: it does what it does there, or [differences.md](../differences.md) says what is different.
- **Nothing to do**: what it is about does not arise here, or not in ingress-nginx either.
- **Refused**: what it asks for is not done; a Problem or a warning says so. The reason has what to do instead.

${kinds.map(({ name, title }) => `[${title}](#all-${name})`).join(" · ")}

${kinds.map(section).join("\n\n")}

The flags of its logging library are not here; [flags.md](flags.md#refused) says what becomes of those.
`
}

function section({ name, title, page, standings }: Kind): string {
  const rows = [...standings].map(([it, standing]) => {
    const written = code(name === "flags" ? `--${it}` : it)
    return [`[${written}](${page}#${it})`, said(standing)]
  })
  return `## All ${name}\n\n${table([title.toLowerCase().replace("configmap", "ConfigMap"), "what becomes of it"], rows)}`
}

function said(standing: Standing): string {
  switch (standing.kind) {
    case "effective":
      return "in effect"
    case "unneeded":
      return `nothing to do, because ${standing.reason}`
    case "refused":
      return `refused, because ${standing.reason}`
    default:
      return standing satisfies never
  }
}

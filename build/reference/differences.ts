import { type Page, pages, type Section, sections } from "../../cli/lint/differences/sections.ts"
import { linksTo, table } from "./markdown.ts"

const heads = ["what", "ingress-nginx", "wick", "why"]

const titles: Readonly<Record<Page, string>> = {
  routing: "Routing",
  backends: "Backends",
  access: "Access control",
  tls: "TLS",
  running: "Running it",
  observing: "Settings, logs, metrics, traces",
}

const printed = "Printed by `npm run docs` from `cli/lint/differences/`"

const words = `- **Problem**: an error or warning about one object. It appears in the log, as a metric and as an Event ([reference/problems.md](reference/problems.md)).
- **Denied**: the paths of the Ingress answer 503, and a Problem says why.
- **Posted**: sent to the running nginx. No reload.
- **Manifests mode**: wick reads a directory (\`--manifests\`) instead of an API server.`

/** Texts of docs/differences.md and the pages below it, by their paths. */
export function differencesPages(): Readonly<Record<string, string>> {
  const names = Object.keys(pages) as Page[]
  const below = names.map((name) => [`docs/differences/${name}.md`, pageOf(name)])
  return { "docs/differences.md": indexPage(names), ...Object.fromEntries(below) }
}

function indexPage(names: readonly Page[]): string {
  const rows = names.map((name) => [`[${titles[name]}](differences/${name}.md)`, contents(name)])
  return `# Differences from ingress-nginx

${printed}, which [\`wick lint\`](lint.md) holds your Ingresses against.

What wick does differently on purpose. You need not read it: \`wick lint\` names the rows that your Ingresses have to do with. To look one up, search
the page for your annotation, ConfigMap key or flag; rows without one are named by what you see.
[reference/coverage.md](reference/coverage.md) lists every name that ingress-nginx knows, and what becomes of it.

${table(["page", "what is there"], rows)}

${words}
`
}

/** Headings of a page, linked from the folder above it. */
function contents(name: Page): string {
  return linksTo(titlesOf(name), `differences/${name}.md`).join(", ")
}

function pageOf(name: Page): string {
  const head = `# Differences from ingress-nginx: ${titles[name]}

${printed}. About ${pages[name]}. [differences.md](../differences.md) has the other pages, and says what "Problem", "denied" and "posted" mean.
`
  const text = [head, `${linksTo(titlesOf(name)).join(" · ")}\n`, ...sectionsOf(name).map(sectionText)].join(
    "\n",
  )
  return text.replaceAll("|  |", "| |")
}

function titlesOf(name: Page): string[] {
  return sectionsOf(name).map(({ title }) => title)
}

function sectionsOf(name: Page): readonly Section[] {
  return sections.filter(({ page }) => page === name)
}

function sectionText({ title, note, rows }: Section): string {
  const cells = Object.values(rows).map(({ what, before, now, why = "" }) => [what, before, now, why])
  const text = `${note === undefined ? "" : `${note}\n\n`}${table(heads, cells)}`
  return `## ${title}\n\n${fromBelow(text)}\n`
}

/** Texts are written as seen from docs; the pages are a folder below. */
function fromBelow(text: string): string {
  return text.replaceAll(/\]\((?!https?:|#)/g, "](../")
}

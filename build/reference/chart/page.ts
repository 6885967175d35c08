import { none } from "../../../controller/core/options/usage.ts"
import { code, table } from "../markdown.ts"
import { readValues, type Value } from "./values.ts"

/** Text of docs/reference/chart.md. */
export function chartPage(): string {
  const sections = Map.groupBy(readValues(), sectionOf)
  return `# Values of the Helm chart

Printed by \`npm run docs\` from the comments in \`deploy/chart/values.yaml\`. [chart.md](../chart.md) says how to install it and what is different from ingress-nginx's chart. Where a field has no words of its own, it is the field of
that name in Kubernetes. \`values.schema.json\` is printed from the same place.

${[...sections].map(([name, values]) => section(name, values)).join("\n\n")}
`
}

/** All of controller.x.y is under controller.x, as far as that is no value itself; what has no section of its own is under its first key. */
function sectionOf({ path }: Value): string {
  const [first = "", second = ""] = path
  if (path.length === 1) return "All objects"
  return first === "controller" && path.length > 2 ? `${first}.${second}` : first
}

function section(name: string, values: readonly Value[]): string {
  const heading = name === "All objects" ? name : code(name)
  return `## ${heading}\n\n${table(["value", "type", "default", "what it does"], values.map(row))}`
}

function row({ path, type, fallback, text }: Value): string[] {
  const isNothing = fallback === null || fallback === ""
  return [code(path.join(".")), type, isNothing ? none : code(JSON.stringify(fallback)), text]
}

import { table } from "./markdown.ts"
import { type Kind, kinds, type Standing } from "./standing.ts"

// How much of ingress-nginx 1.15 there is.

const heads: Readonly<Record<Standing["kind"], string>> = {
  effective: "in effect",
  unneeded: "nothing to do",
  refused: "refused",
}

/** @param folder of the pages, with a slash at its end */
export function countsTable(folder: string): string {
  const shown = Object.entries(heads)
  const rows = kinds.map((kind) => [
    `[${kind.title.toLowerCase().replace("configmap", "ConfigMap")}](${folder}${kind.page})`,
    ...shown.map(([standing]) => {
      const number = count(kind, standing)
      return standing === "effective" ? `**${number}** of ${kind.standings.size}` : String(number)
    }),
  ])
  return table(["of ingress-nginx 1.15", ...shown.map(([, head]) => head)], rows)
}

function count({ standings }: Kind, wanted: string): number {
  return [...standings.values()].filter(({ kind }) => kind === wanted).length
}

const mark = /(<!-- counts -->\n).*?(<!-- \/counts -->)/s

/** The text of a page with the numbers of today between its marks, `<!-- counts -->` and `<!-- /counts -->`. */
export function withCounts(text: string): string {
  return text.replace(
    mark,
    (_, begin: string, end: string) => `${begin}\n${countsTable("docs/reference/")}\n\n${end}`,
  )
}

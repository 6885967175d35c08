import { type Capability, capabilities } from "../../controller/core/options/capabilities.ts"

/** A table of Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n")
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|")
}

export function code(text: string): string {
  return `\`${text}\``
}

/** In a cell: what a link to `#name` leads to. */
export function anchored(name: string, text: string): string {
  return `<a id="${name}"></a>${text}`
}

/** What may be written, with an example unless that is a choice of few words. */
export function valuesAndExample(values: string, example: string): string {
  const isChoice = values.startsWith("`") && values.includes("` or `")
  return isChoice || values.includes("such as") ? values : `${values}; such as ${code(example)}`
}

/** The anchor that forges give a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")
}

/** A link to each of these headings. @param page where they are; "" in the same one */
export function linksTo(titles: readonly string[], page = ""): string[] {
  return titles.map((title) => `[${title}](${page}#${anchorOf(title)})`)
}

interface PlannedItem {
  readonly name: string
  readonly planned: Capability
}

/** The headings of `plannedSections`. */
export function plannedTitles(items: readonly PlannedItem[]): readonly string[] {
  return items.length === 0 ? [] : ["Planned"]
}

/** What is planned, by what it comes with: no section when nothing is. */
export function plannedSections(items: readonly PlannedItem[]): readonly string[] {
  const byCapability = Map.groupBy(items, ({ planned }) => planned)
  const lines = [...byCapability].map(([capability, of]) => {
    const names = of.map(({ name }) => code(name)).sort()
    return `- with ${capabilities[capability]}: ${names.join(", ")}`
  })
  return plannedTitles(items).map(
    (title) => `## ${title}\n\nWithout effect so far: using one is a Problem.\n\n${lines.join("\n")}`,
  )
}

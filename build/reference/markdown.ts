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

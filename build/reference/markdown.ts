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

/** A line of a list. */
export function item(name: string): string {
  return `- ${code(name)}`
}

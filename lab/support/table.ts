/** Tables as text: the first column is names, the others are figures. */

type Row = readonly string[]

/** For a terminal: columns of equal width, figures to the right. */
export function textTable(columns: Row, rows: readonly Row[]): string {
  const all = [columns, ...rows]
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? "").length)))
  const cell = (text: string, i: number) =>
    i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0)
  return all.map((row) => `${row.map(cell).join("  ").trimEnd()}\n`).join("")
}

export function markdownTable(columns: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(" | ")} |`
  return [line(columns), line(columns.map((_, i) => (i === 0 ? "---" : "--:"))), ...rows.map(line)].join("\n")
}

/** One line of text for each row, columns aligned to the left, without blanks at the end. The first row is the head. */
export function aligned(rows: readonly (readonly string[])[], gap = 2): string[] {
  const printed = rows.map((row) => row.map(printable))
  const widths = (printed[0] ?? []).map((_, at) => Math.max(...printed.map((row) => (row[at] ?? "").length)))
  return printed.map((row) =>
    row
      .map((cell, at) => cell.padEnd((widths[at] ?? 0) + gap))
      .join("")
      .trimEnd(),
  )
}

/** Text that comes from objects, and cannot tell a terminal to do anything. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })
}

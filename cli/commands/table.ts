/** One line of text for each row, columns aligned to the left, without blanks at the end. The first row is the head. */
export function aligned(rows: readonly (readonly string[])[], gap = 2): string[] {
  const printed = rows.map((row) => row.map(printable))
  const widths = (printed[0] ?? []).map((_, at) => widest(printed.map((row) => row[at] ?? "")))
  return printed.map((row) =>
    row
      .map((cell, at) => cell.padEnd((widths[at] ?? 0) + gap))
      .join("")
      .trimEnd(),
  )
}

/** Characters of the longest cell. */
export function widest(cells: readonly string[]): number {
  return cells.reduce((most, { length }) => Math.max(most, length), 0)
}

/** Text that comes from objects, and cannot tell a terminal to do anything, nor have it show letters in another order (UAX #9). */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })
}

const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

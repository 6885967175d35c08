/** A piece of a file that can be parsed for itself: nearly always one YAML document. */
export interface Document {
  readonly text: string
  /** line of the file on which `text` begins, from 1 */
  readonly line: number
}

/**
 * Cuts a file at its document markers, so that a mistake in one document leaves the others readable and an unchanged document need not be
 * parsed again. A marker at the beginning of a line ends a document wherever it stands, even inside a quoted text. Source: YAML 1.2.2, 9.1.2
 * and rule c-forbidden. Documents of nothing but comments are left out; directives (`%YAML`) stay with the document they introduce.
 */
export function splitDocuments(text: string): readonly Document[] {
  const starts = [0, ...[...text.matchAll(/^---(?=\s|$)/gm)].map((match) => match.index)]
  const pieces = starts.map((start, index) => text.slice(start, starts[index + 1]))
  return withLines(joinDirectives(pieces)).filter(({ text }) => !isEmpty(text))
}

/** How many markers a text has at least; does not count on beyond `most`. */
export function countDocuments(text: string, most: number): number {
  let count = text.startsWith("---") ? 1 : 0
  for (let at = text.indexOf("\n---"); at !== -1 && count <= most; at = text.indexOf("\n---", at + 1))
    count += 1
  return count
}

/** Directives stand before the marker of their document: the piece that ends with them goes with the next one. */
function joinDirectives(pieces: readonly string[]): readonly string[] {
  const joined: string[] = []
  let held = ""
  for (const piece of pieces) {
    held += piece
    if (/^%/m.test(piece)) continue
    joined.push(held)
    held = ""
  }
  return held === "" ? joined : [...joined, held]
}

function withLines(texts: readonly string[]): readonly Document[] {
  let line = 1
  return texts.map((text) => {
    const document = { text, line }
    line += lineBreaks(text)
    return document
  })
}

/** How many line breaks a text has. */
export function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

/** Nothing but markers, blank lines and comments. Stops at the first line of content. */
function isEmpty(text: string): boolean {
  let start = 0
  while (start <= text.length) {
    const end = text.indexOf("\n", start)
    const line = text.slice(start, end === -1 ? text.length : end)
    if (!/^\uFEFF?((---|\.\.\.)(\s|$))?\s*(#|$)/.test(line)) return false
    start = end === -1 ? text.length + 1 : end + 1
  }
  return true
}

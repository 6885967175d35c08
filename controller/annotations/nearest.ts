/** The word most like `text`, unless more than a third of its letters would have to change. Ties: the first of `words`. */
export function nearest(text: string, words: readonly string[]): string | undefined {
  let best: { readonly word: string; readonly edits: number } | undefined
  for (const word of words) {
    const most = Math.min(Math.floor(word.length / 3), (best?.edits ?? Infinity) - 1)
    if (Math.abs(word.length - text.length) > most) continue
    const edits = editDistance(text, word)
    if (edits <= most) best = { word, edits }
  }
  return best?.word
}

/** Least number of letters inserted, deleted or replaced that turns `a` into `b` (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...a].entries()) row = nextRow(row, line, letter, b)
  return row[b.length] ?? 0
}

function nextRow(above: readonly number[], line: number, letter: string, b: string): number[] {
  const row = [line + 1]
  for (let at = 0; at < b.length; at += 1) {
    const replaced = (above[at] ?? 0) + (b[at] === letter ? 0 : 1)
    row.push(Math.min(replaced, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1))
  }
  return row
}

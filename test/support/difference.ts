/**
 * What has to change in one text to get another, line by line: `- ` for a line that goes, `+ ` for one that comes, and one line of three dots
 * between places apart. Without lines around it, a difference stays the same when something else in both texts changes.
 */
export function difference(from: string, to: string): string {
  const a = from.split("\n")
  const b = to.split("\n")
  const common = commonLines(a, b)
  const edits: string[] = []
  let [i, j] = [0, 0]
  for (const [atA, atB] of [...common, [a.length, b.length] as const]) {
    const changed = [...a.slice(i, atA).map(marked("- ")), ...b.slice(j, atB).map(marked("+ "))]
    if (changed.length > 0 && edits.length > 0) edits.push("...")
    edits.push(...changed)
    ;[i, j] = [atA + 1, atB + 1]
  }
  return edits.map((line) => `${line}\n`).join("")
}

function marked(mark: string): (line: string) => string {
  return (line) => `${mark}${line}`.trimEnd()
}

/** A longest common subsequence, as pairs of places. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const lengths = longestFrom(a, b)
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  const pairs: (readonly [number, number])[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** `[i][j]`: how many lines `a` from `i` on and `b` from `j` on have in common. */
function longestFrom(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  }
  return lengths
}

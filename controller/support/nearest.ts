import { distance } from "fastest-levenshtein"

/** Typos are one or two letters; what is further away is another word. */
const maxEdits = 2

/**
 * The word that was probably meant: the one with fewest letters changed, at most two, where neighbours that have changed places are one; else the shortest one that has `text` as its beginning
 * or end, as in `send-timeout` for `proxy-send-timeout`. Capitals count for small letters, on both sides. Ties: the first of `words`.
 */
export function nearest(text: string, words: readonly string[]): string | undefined {
  const small = text.toLowerCase()
  const byEdits = words
    .filter((word) => Math.abs(word.length - small.length) <= maxEdits)
    .map((word) => ({ word, edits: edits(small, word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.min(maxEdits, word.length / 3))
    .sort((a, b) => a.edits - b.edits)
  return byEdits[0]?.word ?? longer(small, words)
}

function edits(text: string, word: string): number {
  const count = distance(text, word)
  return count === 2 && isSwap(text, word) ? 1 : count
}

/** Whether two neighbours have changed places. */
function isSwap(text: string, word: string): boolean {
  const at = [...text].findIndex((letter, index) => letter !== word[index])
  const swapped = text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
  return swapped === word
}

function longer(text: string, words: readonly string[]): string | undefined {
  const fits = words.filter((word) => isAtAnEnd(text, word.toLowerCase()))
  return text.includes("-") ? fits.sort((a, b) => a.length - b.length)[0] : undefined
}

function isAtAnEnd(text: string, word: string): boolean {
  return word.startsWith(`${text}-`) || word.endsWith(`-${text}`)
}

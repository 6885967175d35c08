/** A word of nginx's text. */
export function quoted(word: string): string {
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

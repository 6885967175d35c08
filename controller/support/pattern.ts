/** A pattern of PCRE that matches the text and nothing else. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
}

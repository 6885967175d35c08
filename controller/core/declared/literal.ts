/** A text as a template that becomes it. */
export function literal(text: string): string {
  return text.replaceAll("$", "$$$$")
}

export interface Label {
  readonly name: string
  readonly value: string
}

/**
 * The labels of a line of Prometheus' text, without braces: `a="x",b="y"`. Scrapes read them by tens of thousands, so no regular expression
 * looks at each.
 */
export function labelsIn(text: string): readonly Label[] {
  const labels: Label[] = []
  const hasEscapes = text.includes("\\")
  for (let at = 0; at < text.length; ) {
    const equals = text.indexOf("=", at)
    if (equals < 0) break
    const end = hasEscapes ? closingQuote(text, equals + 2) : text.indexOf('"', equals + 2)
    const value = text.slice(equals + 2, end)
    labels.push({ name: text.slice(at, equals), value: hasEscapes ? unescaped(value) : value })
    at = end + 2
  }
  return labels
}

function closingQuote(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at
}

function unescaped(value: string): string {
  return value.includes("\\")
    ? value.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped))
    : value
}

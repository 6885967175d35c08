/** The labels of a line of Prometheus' text, without braces: `a="x",b="y"`. */
export function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
  return Object.fromEntries(Array.from(pairs, ([, name = "", value = ""]) => [name, unescaped(value)]))
}

function unescaped(value: string): string {
  return value.includes("\\")
    ? value.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped))
    : value
}

/** A line of Prometheus' text. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The samples of a page as nginx prints it, but for those whose name does not begin so. */
export function* samplesIn(page: Buffer, prefix: string): Generator<Sample> {
  for (const line of page.toString().split("\n")) {
    if (!line.startsWith(prefix)) continue
    const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name !== "") yield { name, labels: labelsIn(labels), value: Number(value) }
  }
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
  return Object.fromEntries(Array.from(pairs, ([, name = "", value = ""]) => [name, unescaped(value)]))
}

function unescaped(value: string): string {
  return value.includes("\\")
    ? value.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped))
    : value
}

import { labelsIn } from "../../support/label-text.ts"

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
    if (name !== "") yield { name, labels: recordOf(labels), value: Number(value) }
  }
}

function recordOf(labels: string): Readonly<Record<string, string>> {
  return Object.fromEntries(labelsIn(labels).map(({ name, value }) => [name, value]))
}

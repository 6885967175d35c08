import { Turns } from "../../support/turns.ts"

// Metrics with as many series as there are Ingresses or hosts: kept nowhere, printed when somebody reads them, page by page.

/** A metric of the kind gauge. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly series: Iterable<Series>
}

/** Labels as `printLabels` gives them. */
type Series = readonly [labels: string, value: number]

const pageChars = 64 * 1024

/** Prometheus' text. Others have their turn while that takes long. Families without series are left out. */
export async function* printFamilies(families: Iterable<Family>): AsyncGenerator<Buffer> {
  const turns = new Turns()
  let page = ""
  for (const { name, help, series } of families) {
    let head = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
    for (const [labels, value] of series) {
      page += `${head}${name}{${labels}} ${value}\n`
      head = ""
      if (page.length < pageChars && !turns.isOver()) continue
      yield Buffer.from(page)
      page = ""
      if (turns.isOver()) await turns.next()
    }
  }
  if (page !== "") yield Buffer.from(page)
}

/** `a="x",b="y"`. Without brackets, so that what many series have in common is printed once. */
export function printLabels(labels: Readonly<Record<string, string>>): string {
  let text = ""
  for (const label in labels) text += `${text && ","}${label}="${escaped(labels[label] ?? "")}"`
  return text
}

function escaped(text: string): string {
  return /[\\"\n]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
    : text
}

import type { MetricFormat } from "../../model/metric-format.ts"
import { labelsIn } from "../../support/label-text.ts"
import { Turns } from "../../support/turns.ts"
import { type EncodeFamily, familyEncoder, type MetricMessage, metricTypes } from "./protobuf.ts"

// Metrics with as many series as there are Ingresses or hosts: kept nowhere, printed when somebody reads them, page by page.

/** A metric of the kind gauge. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly series: Iterable<Series>
}

/** Labels as `printLabels` gives them. */
type Series = readonly [labels: string, value: number]

/** What is printed and not sent yet, of one metric. */
interface Page {
  add(series: Series): void
  isFull(): boolean
  /** All of it; the page is empty then. `undefined`: nothing */
  take(): Uint8Array | undefined
}

const pageChars = 64 * 1024
/** as messages some 64 KiB, too */
const pageSeries = 256

/** Others have their turn while that takes long. Families without series are left out. */
export async function* printFamilies(
  families: Iterable<Family>,
  format: MetricFormat = "text",
): AsyncGenerator<Uint8Array> {
  const encode = format === "protobuf" ? await familyEncoder() : undefined
  const turns = new Turns()
  for (const family of families) {
    const page = encode === undefined ? textPage(family) : protobufPage(family, encode)
    for (const series of family.series) {
      page.add(series)
      if (page.isFull() || turns.isOver()) yield* taken(page)
      if (turns.isOver()) await turns.next()
    }
    yield* taken(page)
    if (turns.isOver()) await turns.next()
  }
}

function* taken(page: Page): Generator<Uint8Array> {
  const bytes = page.take()
  if (bytes !== undefined) yield bytes
}

function textPage({ name, help }: Family): Page {
  let text = ""
  let head = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
  return {
    add([labels, value]) {
      text += `${head}${name}{${labels}} ${value}\n`
      head = ""
    },
    isFull: () => text.length >= pageChars,
    take() {
      const all = text
      text = ""
      return all === "" ? undefined : Buffer.from(all)
    },
  }
}

function protobufPage({ name, help }: Family, encode: EncodeFamily): Page {
  let metric: MetricMessage[] = []
  return {
    add([labels, value]) {
      metric.push({ label: labelsIn(labels), gauge: { value } })
    },
    isFull: () => metric.length >= pageSeries,
    take() {
      const all = metric
      metric = []
      return all.length === 0 ? undefined : encode({ name, help, type: metricTypes.gauge, metric: all })
    },
  }
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

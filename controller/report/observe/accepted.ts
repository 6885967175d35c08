import type { MetricFormat } from "../../model/metric-format.ts"

/** What a scrape is answered in. */
export type ScrapeFormat = MetricFormat | "openmetrics"

/** What an answer in each format says that it is. */
export const contentTypes: Readonly<Record<ScrapeFormat, string>> = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  protobuf: "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
}

interface Range {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
  /** 0 to 1 */
  readonly quality: number
}

/**
 * The format that a reader likes best; of two that it likes the same the one that it names first. Text for those who name none: nothing else
 * can be read by everybody. OpenMetrics for those only who do not name text: Prometheus names both and likes OpenMetrics better, in which
 * bounds have other names (`le="1.0"`), and dashboards would find nothing.
 *
 * @param accept RFC 9110, 12.5.1
 */
export function formatFor(accept: string | undefined): ScrapeFormat {
  const ranges = (accept ?? "").split(",").map(rangeOf)
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  const namesText = wanted.some(({ type }) => type === "text/plain")
  for (const range of wanted) {
    if (isProtobuf(range)) return "protobuf"
    if (isOpenMetrics(range) && !namesText) return "openmetrics"
    if (isText(range)) return "text"
  }
  return "text"
}

function rangeOf(text: string): Range {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim())
  const pairs = rest.map((part) => {
    const [name = "", ...value] = part.split("=")
    return [name.trim().toLowerCase(), unquoted(value.join("=").trim())]
  })
  const { q = "1", ...parameters }: Record<string, string> = Object.fromEntries(pairs)
  return { type: type.toLowerCase(), parameters, quality: qualityOf(q) }
}

function unquoted(value: string): string {
  return value.replace(/^"(.*)"$/, "$1")
}

/** What is no quality is none. */
function qualityOf(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** Other encodings of the same messages are not there, nor other messages. */
function isProtobuf({ type, parameters: { proto, encoding } }: Range): boolean {
  return (
    type === "application/vnd.google.protobuf" &&
    proto === "io.prometheus.client.MetricFamily" &&
    encoding === "delimited"
  )
}

function isOpenMetrics({ type, parameters: { version = "1.0.0" } }: Range): boolean {
  return type === "application/openmetrics-text" && version === "1.0.0"
}

function isText({ type, parameters: { version = "0.0.4" } }: Range): boolean {
  return (type === "text/plain" && version === "0.0.4") || type === "text/*" || type === "*/*"
}

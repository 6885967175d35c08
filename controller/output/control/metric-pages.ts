import type { MetricFormat } from "../../model/metric-format.ts"
import type { ControlClient, Page } from "./client.ts"

/** What is the same for all pages. */
interface Asked {
  readonly format?: MetricFormat
  /** as `backend=shop-80` */
  readonly query?: string | undefined
}

type Client = Pick<ControlClient, "page">

/** Metrics as nginx prints them, page by page, of whole lines. @throws Failure `control-lost` */
export async function* metricPages(client: Client, path: string, asked: Asked = {}): AsyncGenerator<Buffer> {
  for await (const chunks of pages(client, path, asked)) yield Buffer.concat(chunks)
}

/** The same, cut anywhere: for those who only hand it on. */
export async function* metricChunks(client: Client, path: string, asked: Asked): AsyncGenerator<Buffer> {
  for await (const chunks of pages(client, path, asked)) yield* chunks
}

/** Each when it is asked for: a slow reader keeps nothing in memory. None of an nginx that runs with a configuration without these metrics. */
async function* pages(
  client: Client,
  path: string,
  { format = "text", query }: Asked,
): AsyncGenerator<readonly Buffer[]> {
  const at = (next?: string) => pathTo(path, format === "text" ? undefined : format, query, next)
  for (let asked: Promise<Page> | undefined = page(client, at()); asked !== undefined; ) {
    const { status, chunks, next }: Page = await asked
    if (status !== 200) return
    // nginx prints the next one while this one is sent.
    asked = next === undefined ? undefined : page(client, at(next))
    asked?.catch(() => {}) // where nobody reads on
    yield chunks
  }
}

function pathTo(path: string, ...args: readonly (string | undefined)[]): string {
  const given = args.filter((argument) => argument !== undefined)
  return given.length === 0 ? path : `${path}?${given.join("&")}`
}

/** Once more where nginx changed hands meanwhile, as when a zone grows: a scrape is worth more than the page that was under way. */
function page(client: Client, path: string): Promise<Page> {
  return client.page(path).catch(() => client.page(path))
}

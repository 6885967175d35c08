import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable, type Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createGzip } from "node:zlib"
import type { MetricFormat } from "../../model/metric-format.ts"
import { contentTypes, formatFor } from "./accepted.ts"
import type { Metrics } from "./metrics.ts"
import { openMetrics } from "./openmetrics.ts"

// Answers a scrape in the format that is asked for: the controller's own metrics, then those of Ingresses and hosts, and those of requests as nginx prints them, one page after the other. What is sent is
// not kept, and a slow reader slows nginx's printing down, nothing else.

type Source = Pick<Metrics, "own" | "pages" | "scrapes">

/** Metrics say the same again and again: the fastest level leaves a twentieth. */
const level = constants.Z_BEST_SPEED

/** @throws when the metrics cannot be collected; an answer that has begun is then cut off, which the reader notices */
export async function sendMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Source,
): Promise<void> {
  const ended = metrics.scrapes.begin()
  try {
    await send(request, response, metrics)
    ended(200)
  } catch (error) {
    ended(500)
    throw error
  }
}

async function send(request: IncomingMessage, response: ServerResponse, metrics: Source): Promise<void> {
  const format = formatFor(request.headers.accept)
  const bytes =
    format === "openmetrics" ? openMetrics(await parts("text", metrics)) : await parts(format, metrics)
  const isPacked = acceptsGzip(request.headers["accept-encoding"])
  response.writeHead(200, {
    "content-type": contentTypes[format],
    "x-content-type-options": "nosniff",
    vary: "accept, accept-encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  })
  if (request.method === "HEAD") return void response.end()
  const all = Readable.from(bytes, { objectMode: false })
  const through: readonly Transform[] = isPacked ? [createGzip({ level, chunkSize: 64 * 1024 })] : []
  await pipeline([all, ...through, response])
}

/** Begins when the controller's own metrics are there: without these there is no answer. */
async function parts(format: MetricFormat, metrics: Source): Promise<AsyncIterable<Uint8Array>> {
  const own = await metrics.own(format)
  return (async function* () {
    yield own
    yield* metrics.pages(format)
  })()
}

/** RFC 9110, 12.5.3: what is named, and not with a quality of 0. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? "")
    .split(",")
    .some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding))
}

import type { EndpointCounts } from "../../model/endpoint-counts.ts"
import type { MetricFormat } from "../../model/metric-format.ts"
import type { ControlClient } from "./client.ts"
import { metricChunks, metricPages } from "./metric-pages.ts"
import { samplesIn } from "./samples.ts"

// Attempts by endpoint, which nginx counts with --metrics-per-endpoint.

type Client = Pick<ControlClient, "page">

const path = "/metrics/endpoints"
const prefix = "wick_endpoint_"

/** As nginx prints them, cut anywhere. @throws Failure `control-lost` */
export function endpointPages(client: Client, format: MetricFormat): AsyncGenerator<Buffer> {
  return metricChunks(client, path, { format })
}

/**
 * Those with attempts so far, in no order.
 *
 * @param backend only its endpoints
 * @returns undefined where nginx does not count them @throws Failure `control-lost`
 */
export async function readEndpointCounts(
  client: Client,
  backend?: string,
): Promise<readonly EndpointCounts[] | undefined> {
  const counts = new Map<string, Counted>()
  let isCounted = false
  const query = backend && `backend=${asWritten(backend)}`
  for await (const page of metricPages(client, path, { query })) {
    isCounted = true
    for (const { name, labels, value } of samplesIn(page, prefix)) {
      if (labels.endpoint === undefined) continue // of the table as a whole
      add(countedIn(counts, labels.backend ?? "", labels.endpoint), name.slice(prefix.length), labels, value)
    }
  }
  return isCounted ? [...counts.values()] : undefined
}

/** nginx compares the name as it is written; of what names of streams have, a query may have these two (RFC 3986, 3.4). */
function asWritten(backend: string): string {
  return encodeURIComponent(backend).replaceAll("%3A", ":").replaceAll("%2F", "/")
}

type Counted = {
  -readonly [Field in keyof EndpointCounts]: EndpointCounts[Field]
} & { failures: Record<string, number> }

function countedIn(counts: Map<string, Counted>, backend: string, endpoint: string): Counted {
  const key = `${backend} ${endpoint}`
  const known = counts.get(key)
  if (known !== undefined) return known
  const counted = { backend, endpoint, attempts: 0, failures: {}, responses: 0, responseSeconds: 0 }
  counts.set(key, counted)
  return counted
}

function add(
  counted: Counted,
  name: string,
  { cause = "" }: Readonly<Record<string, string>>,
  value: number,
): void {
  if (name === "attempts_total") counted.attempts = value
  else if (name === "failures_total") counted.failures[cause] = value
  else if (name === "response_seconds_count") counted.responses = value
  else if (name === "response_seconds_sum") counted.responseSeconds = value
}

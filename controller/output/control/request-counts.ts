import type { RequestCount } from "../../model/request-count.ts"
import type { ControlClient } from "./client.ts"
import { metricPages } from "./metric-pages.ts"
import { samplesIn } from "./samples.ts"

const name = "nginx_ingress_controller_requests"

/** What nginx counted of requests, without histograms. @returns undefined where it does not count @throws Failure `control-lost` */
export async function readRequestCounts(
  client: Pick<ControlClient, "page">,
): Promise<readonly RequestCount[] | undefined> {
  let counts: RequestCount[] | undefined
  for await (const page of requestCountPages(client)) {
    counts ??= []
    counts.push(...page)
  }
  return counts
}

/** The same in parts, between which others have their turn. None at all: requests are not counted. @throws Failure `control-lost` */
export async function* requestCountPages(
  client: Pick<ControlClient, "page">,
): AsyncGenerator<readonly RequestCount[]> {
  for await (const page of metricPages(client, "/metrics")) {
    yield Array.from(samplesIn(page, `${name}{`), ({ labels, value }) => countOf(labels, value))
    if (goesBeyond(page)) return // histograms come behind them
  }
}

function goesBeyond(page: Buffer): boolean {
  const last = page.lastIndexOf("# TYPE ")
  return last >= 0 && !page.toString("latin1", last, last + 200).startsWith(`# TYPE ${name} `)
}

function countOf(labels: Readonly<Record<string, string>>, count: number): RequestCount {
  const { namespace = "", ingress = "", host, status = "" } = labels
  return {
    ingress: ingress === "" ? "" : `${namespace}/${ingress}`,
    ...(host !== undefined && { host }),
    status,
    count,
  }
}

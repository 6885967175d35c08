import type { ControlClient } from "./client.ts"
import { metricPages } from "./metric-pages.ts"
import { type Sample, samplesIn } from "./samples.ts"

const metric = "request_duration_seconds"
const name = `nginx_ingress_controller_${metric}`

/** How long requests took since their series began: all of an Ingress and host. */
export interface RequestTimes {
  /** `namespace/name`; "" where no Ingress is for them */
  readonly ingress: string
  /** absent with `--metrics-per-host=false` */
  readonly host?: string
  readonly count: number
  readonly seconds: number
  /** how many took at most so many seconds, by that bound in rising order; the last is Infinity */
  readonly buckets: readonly Bucket[]
}

interface Bucket {
  readonly seconds: number
  readonly count: number
}

interface Sums {
  readonly ingress: string
  readonly host: string | undefined
  count: number
  seconds: number
  readonly buckets: Map<number, number>
}

/** Of all that were counted; none where nginx does not count times. @throws Failure `control-lost` */
export async function readRequestTimes(
  client: Pick<ControlClient, "page">,
): Promise<readonly RequestTimes[]> {
  const sums = new Map<string, Sums>()
  for await (const page of metricPages(client, "/metrics", { query: `from=${metric}` })) {
    for (const sample of samplesIn(page, `${name}_`)) add(sums, sample)
    if (goesBeyond(page)) break
  }
  return Array.from(sums.values(), ({ host, buckets, ...times }) => ({
    ...times,
    ...(host !== undefined && { host }),
    buckets: Array.from(buckets, ([seconds, count]) => ({ seconds, count })).sort(
      (a, b) => a.seconds - b.seconds,
    ),
  }))
}

/** Another metric begins in it. */
function goesBeyond(page: Buffer): boolean {
  return page.lastIndexOf("# TYPE ") > page.lastIndexOf(`# TYPE ${name} `)
}

function add(sums: Map<string, Sums>, { name: sampled, labels, value }: Sample): void {
  const of = sumsIn(sums, labels)
  switch (sampled.slice(name.length)) {
    case "_count":
      of.count += value
      break
    case "_sum":
      of.seconds += value
      break
    case "_bucket": {
      const bound = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le)
      of.buckets.set(bound, (of.buckets.get(bound) ?? 0) + value)
    }
  }
}

function sumsIn(sums: Map<string, Sums>, labels: Sample["labels"]): Sums {
  const { namespace = "", ingress: plain = "", host } = labels
  const ingress = plain === "" ? "" : `${namespace}/${plain}`
  const key = `${ingress} ${host}`
  const known = sums.get(key)
  if (known !== undefined) return known
  const made = { ingress, host, count: 0, seconds: 0, buckets: new Map<number, number>() }
  sums.set(key, made)
  return made
}

import type { MetricFormat } from "../../model/metric-format.ts"
import { routeSourceName } from "../../model/route-source.ts"
import { sameItems } from "../../support/incremental/last-result.ts"
import type { ControlClient } from "./client.ts"
import { metricChunks, metricPages } from "./metric-pages.ts"

// The series of request metrics that nginx keeps: read when somebody scrapes, removed when their Ingress is gone.

type Client = Pick<ControlClient, "page" | "deleteAnew">
type Named = {
  readonly kind: string
  readonly meta: { readonly namespace: string; readonly name: string }
}

type Routes = ReadonlyMap<string, Named>

const path = "/metrics"

function seriesName({ kind, meta: { namespace, name } }: Named): string {
  return `${namespace}/${routeSourceName({ kind, name })}`
}

export class RequestSeries {
  readonly #client: Client
  /** of the last look, `namespace/name`; undefined before the first */
  #known: ReadonlySet<string> | undefined
  /** what the last look was at */
  #seen: readonly unknown[] | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /** Cut anywhere. @throws Failure `control-lost` */
  pages(format: MetricFormat): AsyncGenerator<Buffer> {
    return metricChunks(this.#client, path, { format })
  }

  /**
   * Removes the series of Ingresses and routes that there are no more. After a failure they are tried again the next time.
   *
   * @param ingresses the same list as before says that nothing has changed, and so does the same map of routes of the Gateway API
   */
  async keep(ingresses: readonly Named[], ...routes: readonly Routes[]): Promise<void> {
    const seen = [ingresses, ...routes]
    if (this.#seen !== undefined && sameItems(seen, this.#seen)) return
    const all = [...ingresses, ...routes.flatMap((some) => [...some.values()])]
    const wanted = new Set(all.map(seriesName))
    try {
      const known = this.#known ?? (await this.#counted())
      for (const ingress of known)
        if (!wanted.has(ingress)) await this.#client.deleteAnew(`${path}?${ingress}`)
      this.#known = wanted
      this.#seen = seen
    } catch {
      // nginx is away, which others notice
    }
  }

  /** Those that an nginx that was found running has series of. */
  async #counted(): Promise<ReadonlySet<string>> {
    const counted = new Set<string>()
    for await (const page of metricPages(this.#client, path)) {
      const text = page.toString()
      for (const [, namespace, name] of text.matchAll(/,namespace="([^"\\]+)",ingress="([^"\\]+)"/g))
        if (namespace !== "_folded") counted.add(`${namespace}/${name}`)
      if (text.includes("header_duration_seconds")) break // by then every series has been seen
    }
    return counted
  }
}

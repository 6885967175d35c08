import type { MetricFormat } from "../../model/metric-format.ts"
import { routeSourceName } from "../../model/route-source.ts"
import { middleOf } from "../../support/incremental/middle.ts"
import { changedSince } from "../../support/incremental/shared-map.ts"
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

/** All whose requests may be counted. */
interface Counted {
  readonly ingresses: readonly Named[]
  readonly routes: readonly Routes[]
}

export class RequestSeries {
  readonly #client: Client
  /** at the last look */
  #last: Counted | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /** Cut anywhere. @throws Failure `control-lost` */
  pages(format: MetricFormat): AsyncGenerator<Buffer> {
    return metricChunks(this.#client, path, { format })
  }

  /** Removes the series of Ingresses and routes that there are no more. After a failure they are tried again the next time. */
  async keep(ingresses: readonly Named[], ...routes: readonly Routes[]): Promise<void> {
    const now = { ingresses, routes }
    try {
      const gone = this.#last === undefined ? await this.#strangers(now) : goneSince(this.#last, now)
      for (const name of gone) await this.#client.deleteAnew(`${path}?${name}`)
      this.#last = now
    } catch {
      // nginx is away, which others notice
    }
  }

  /** Those that nginx has series of, and that are none of these. */
  async #strangers({ ingresses, routes }: Counted): Promise<readonly string[]> {
    const all = [...ingresses, ...routes.flatMap((some) => [...some.values()])]
    const wanted = new Set(all.map(seriesName))
    return [...(await this.#counted())].filter((name) => !wanted.has(name))
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

function goneSince(before: Counted, now: Counted): readonly string[] {
  const routes = before.routes.flatMap((some, at) => routesGone(some, now.routes[at] ?? noRoutes))
  return [...ingressesGone(before.ingresses, now.ingresses), ...routes]
}

const noRoutes: Routes = new Map()

function ingressesGone(before: readonly Named[], after: readonly Named[]): readonly string[] {
  const { start, endBefore, endAfter } = middleOf(before, after)
  const left = new Set(after.slice(start, endAfter).map(seriesName))
  return before
    .slice(start, endBefore)
    .map(seriesName)
    .filter((name) => !left.has(name))
}

function routesGone(before: Routes, after: Routes): readonly string[] {
  const names = [...(changedSince(before, after) ?? before.keys())]
  return names.flatMap((name) => {
    const route = after.has(name) ? undefined : before.get(name)
    return route === undefined ? [] : [seriesName(route)]
  })
}

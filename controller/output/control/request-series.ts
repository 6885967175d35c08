import type { ControlClient, Page } from "./client.ts"

// The series of request metrics that nginx keeps: read when somebody scrapes, removed when their Ingress is gone.

type Client = Pick<ControlClient, "page" | "deleteAnew">
type Named = { readonly meta: { readonly namespace: string; readonly name: string } }

const path = "/metrics"

export class RequestSeries {
  readonly #client: Client
  /** of the last look, `namespace/name`; undefined before the first */
  #known: ReadonlySet<string> | undefined
  /** what the last look was at */
  #seen: readonly Named[] | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /**
   * Prometheus' text, page by page: nginx prints each when it is asked for, and a slow reader keeps nothing in memory.
   *
   * @throws Failure `control-lost`
   */
  async *pages(): AsyncGenerator<Buffer> {
    for (let asked: Promise<Page> | undefined = this.#page(path); asked !== undefined; ) {
      const { status, body, next }: Page = await asked
      if (status !== 200) return // nginx runs with a configuration without metrics
      // nginx prints the next one while this one is sent.
      asked = next === undefined ? undefined : this.#page(`${path}?${next}`)
      asked?.catch(() => {}) // where nobody reads on
      yield body
    }
  }

  /** Once more where nginx changed hands meanwhile, as when a zone grows: a scrape is worth more than the page that was under way. */
  #page(path: string): Promise<Page> {
    return this.#client.page(path).catch(() => this.#client.page(path))
  }

  /**
   * Removes the series of Ingresses that there are no more. After a failure they are tried again the next time.
   *
   * @param ingresses the same list as before says that nothing has changed
   */
  async keep(ingresses: readonly Named[]): Promise<void> {
    if (ingresses === this.#seen) return
    const wanted = new Set(ingresses.map(({ meta: { namespace, name } }) => `${namespace}/${name}`))
    try {
      const known = this.#known ?? (await this.#counted())
      for (const ingress of known)
        if (!wanted.has(ingress)) await this.#client.deleteAnew(`${path}?${ingress}`)
      this.#known = wanted
      this.#seen = ingresses
    } catch {
      // nginx is away, which others notice
    }
  }

  /** Those that an nginx that was found running has series of. */
  async #counted(): Promise<ReadonlySet<string>> {
    const counted = new Set<string>()
    for await (const page of this.pages()) {
      const text = page.toString()
      for (const [, namespace, name] of text.matchAll(/,namespace="([^"\\]+)",ingress="([^"\\]+)"/g))
        if (namespace !== "_folded") counted.add(`${namespace}/${name}`)
      if (text.includes("header_duration_seconds")) break // by then every series has been seen
    }
    return counted
  }
}

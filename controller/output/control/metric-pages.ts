import type { ControlClient, Page } from "./client.ts"

/**
 * Prometheus' text as nginx prints it, page by page: each when it is asked for, and a slow reader keeps nothing in memory. None of an nginx
 * that runs with a configuration without these metrics.
 *
 * @param query argument of all pages, as `backend=shop-80`
 * @throws Failure `control-lost`
 */
export async function* metricPages(
  client: Pick<ControlClient, "page">,
  path: string,
  query?: string,
): AsyncGenerator<Buffer> {
  const at = (next?: string) => pathTo(path, query, next)
  for (let asked: Promise<Page> | undefined = page(client, at()); asked !== undefined; ) {
    const { status, body, next }: Page = await asked
    if (status !== 200) return
    // nginx prints the next one while this one is sent.
    asked = next === undefined ? undefined : page(client, at(next))
    asked?.catch(() => {}) // where nobody reads on
    yield body
  }
}

function pathTo(path: string, ...args: readonly (string | undefined)[]): string {
  const given = args.filter((argument) => argument !== undefined)
  return given.length === 0 ? path : `${path}?${given.join("&")}`
}

/** Once more where nginx changed hands meanwhile, as when a zone grows: a scrape is worth more than the page that was under way. */
function page(client: Pick<ControlClient, "page">, path: string): Promise<Page> {
  return client.page(path).catch(() => client.page(path))
}

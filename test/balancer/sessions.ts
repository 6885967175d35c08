/** Sessions by cookie: a backend that has them, and requests with and without a cookie. */
import { backend, setBackends } from "./build.ts"
import { Worker, type WorkerOptions } from "./host.ts"

export const MODES = ["balanced", "persistent"] as const
export type Fields = { [field: string]: unknown }

const HERE = { "shop.test": ["/", "/cart"] }

export const sticky = (mode: string, cookie: Fields = {}): Fields => ({
  sessionAffinityConfig: {
    name: "cookie",
    mode,
    cookieSessionAffinity: { name: "SESSION", locations: HERE, ...cookie },
  },
})

export const nameOf = ({ address, port }: { address: string; port: string | number }) => `${address}:${port}`

/** Requests go to `shop.test/`. */
export function workerOf(fields: Fields, count = 3, options: WorkerOptions = {}): Worker {
  const worker = new Worker(options)
  visit(worker, "shop.test", "/")
  setBackends(worker, { ...backend("shop", count), ...fields })
  return worker
}

/** The route of the next requests is at this location. */
export function visit(worker: Worker, host: string, location: string): void {
  worker.properties.set("ngx\0ingress_host", host).set("ngx\0location_path", location)
}

/** What a request with this cookie gets: an endpoint, and the `Set-Cookie` header if there is one. */
export function ask(worker: Worker, cookie?: string, tried: readonly number[] = []) {
  worker.cookies.clear()
  worker.cookiesSet.clear()
  if (cookie !== undefined) worker.cookies.set("SESSION", cookie)
  const { tag, ...endpoint } = worker.pick("shop", tried)
  return { name: nameOf(endpoint), tag, header: worker.cookiesSet.get("SESSION") }
}

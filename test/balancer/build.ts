/** Small inputs: backends, hosts and changes as they are posted. */
import type { Worker } from "./host.ts"

export type PostedEndpoint = { address: string; port: string | number; weight?: number; zone?: string }
export type PostedBackend = {
  name: string
  "load-balance"?: string
  endpoints?: PostedEndpoint[]
  [field: string]: unknown
}
export type PostedRoute = {
  path: string
  match: string
  location: string
  backend: string
  [field: string]: unknown
}
export type PostedHost = { server?: string; host: string; routes: PostedRoute[]; client_certificate?: object }
export type Change = {
  base: string | null
  generation: string
  backends?: { set?: PostedBackend[]; remove?: string[] }
  routes?: { set?: PostedHost[]; remove?: { server?: string; host: string }[] }
}

/** `backend("shop", 3)` has 10.0.0.1:80 to 10.0.0.3:80; or give the weights of as many endpoints. */
export function backend(name: string, endpoints: number | readonly number[]): PostedBackend {
  const weights = typeof endpoints === "number" ? Array<number>(endpoints).fill(1) : endpoints
  return {
    name,
    endpoints: weights.map((weight, i) => ({
      address: `10.0.${Math.floor(i / 250)}.${(i % 250) + 1}`,
      port: "80",
      weight,
    })),
  }
}

/** One prefix route at `/`. */
export function host(name: string, backend = "shop"): PostedHost {
  return { host: name, routes: [{ path: "/", match: "prefix", location: "location-default", backend }] }
}

let changes = 0

/** A change on whatever is there. */
export function change(parts: Partial<Change>): Change {
  changes++
  return { base: null, generation: `g-${changes}`, ...parts }
}

/** Posts backends and demands that they are in force. */
export function setBackends(worker: Worker, ...set: PostedBackend[]): void {
  apply(worker, { backends: { set } })
}

/** Posts that backends are gone and demands that it is in force. */
export function removeBackends(worker: Worker, ...remove: string[]): void {
  apply(worker, { backends: { remove } })
}

function apply(worker: Worker, parts: Partial<Change>): void {
  const answer = worker.post("/configuration/changes", change(parts))
  if (answer.status !== 201 || answer.body.includes('"skipped":'))
    throw new Error(`${answer.status} ${answer.body}`)
}

/** The addresses that `count` first attempts get, with how often. */
export function counts(worker: Worker, backend: string, count: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const { address } = worker.pick(backend)
    counts.set(address, (counts.get(address) ?? 0) + 1)
  }
  return counts
}

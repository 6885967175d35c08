import type { Backend, CookieAffinity, HashBy } from "../model/backend.ts"
import type { Host } from "../model/route.ts"
import type { HostName, LiveChange } from "../plan/plan.ts"
import { routeFields } from "./wire-route.ts"

// The posted format, docs/wire.md section 1. A change is a sequence of items, cut into bodies that nginx takes in one go.

/** One thing that a change sets or removes, and the JSON that says so. */
export type Item =
  | { readonly kind: "set-backend"; readonly name: string; readonly json: string }
  | { readonly kind: "set-host"; readonly name: HostName; readonly json: string }
  | { readonly kind: "remove-host"; readonly name: HostName; readonly json: string }
  | { readonly kind: "remove-backend"; readonly name: string; readonly json: string }

/** A part is at most this long unless it has one item only: what a worker reads in about a millisecond, so that traffic does not wait. */
export const partBytes = 256 * 1024

/** nginx takes no longer body (`client_max_body_size` of the control server). */
export const bodyBytes = 1024 * 1024

/**
 * The items of a change in the order they must take effect: backends before the hosts that name them, and removed after. Each is printed when
 * it is asked for, so that a large change does not stop everything else.
 */
export function* itemsOf(change: LiveChange): Generator<Item> {
  for (const backend of change.setBackends) yield setBackend(backend)
  for (const host of change.setHosts) yield setHost(host)
  for (const host of change.removeHosts) yield removeHost(host)
  for (const name of change.removeBackends) yield removeBackend(name)
}

/** Cuts items into parts of at most `partBytes`, each with at least one item. */
export function* partsOf(items: Iterable<Item>): Generator<readonly Item[]> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    const more = Buffer.byteLength(item.json) + 1
    if (part.length > 0 && bytes + more > partBytes) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += more
  }
  if (part.length > 0) yield part
}

/** The body of one `POST /configuration/changes`. @param base the generation it builds on; `null` builds on whatever is there */
export function bodyOf(base: string | null, generation: string, items: readonly Item[]): string {
  const list = (kind: Item["kind"]) =>
    items.flatMap((item) => (item.kind === kind ? [item.json] : [])).join(",")
  const backends = `{"set":[${list("set-backend")}],"remove":[${list("remove-backend")}]}`
  const routes = `{"set":[${list("set-host")}],"remove":[${list("remove-host")}]}`
  const names = `"base":${JSON.stringify(base)},"generation":${JSON.stringify(generation)}`
  return `{${names},"backends":${backends},"routes":${routes}}`
}

function setBackend(backend: Backend): Item {
  return { kind: "set-backend", name: backend.name, json: JSON.stringify(backendFields(backend)) }
}

function backendFields(backend: Backend): object {
  const { affinity, hashBy, slowStartMs, outlierEjection: outlier } = backend
  return {
    name: backend.name,
    "load-balance": backend.loadBalance,
    endpoints: backend.endpoints.map(({ address, port }) => ({ address, port: String(port) })),
    sessionAffinityConfig: affinity && affinityFields(affinity),
    upstreamHashByConfig: hashBy && hashByFields(hashBy),
    trafficShapingPolicy: backend.shaping,
    alternativeBackends: backend.alternatives,
    slowStart: slowStartMs === undefined ? undefined : { window_ms: slowStartMs },
    outlierEjection: outlier && { failures: outlier.failures, ejection_ms: outlier.ejectionMs },
  }
}

function affinityFields({ mode, cookie }: CookieAffinity): object {
  const cookieSessionAffinity = {
    name: cookie.name,
    expires: cookie.expiresSeconds,
    maxage: cookie.maxAgeSeconds,
    locations: cookie.locations,
    secure: cookie.secure,
    path: cookie.path,
    domain: cookie.domain,
    samesite: cookie.sameSite,
    conditional_samesite_none: cookie.conditionalSameSiteNone,
    change_on_failure: cookie.changeOnFailure,
  }
  return { name: "cookie", mode, cookieSessionAffinity }
}

function hashByFields({ key, subsetSize }: HashBy): object {
  return {
    "upstream-hash-by": key,
    "upstream-hash-by-subset": subsetSize !== undefined,
    "upstream-hash-by-subset-size": subsetSize,
  }
}

function setHost({ server, host, routes }: Host): Item {
  const json = JSON.stringify({ server, host, routes: routes.map(routeFields) })
  return { kind: "set-host", name: { server, host }, json }
}

function removeHost({ server, host }: HostName): Item {
  return { kind: "remove-host", name: { server, host }, json: JSON.stringify({ server, host }) }
}

function removeBackend(name: string): Item {
  return { kind: "remove-backend", name, json: JSON.stringify(name) }
}

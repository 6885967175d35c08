import type { LiveChange } from "../../core/plan/change.ts"
import { kinds, kindsInOrder, type NameOf } from "../../core/plan/kinds.ts"
import type { Backend, BackendPolicy, CookieAffinity, Endpoint, HashBy } from "../../model/backend.ts"
import type { LiveKind, LiveThings } from "../../model/model.ts"
import type { Host } from "../../model/route.ts"
import {
  lists,
  type PostedAffinity,
  type PostedBackend,
  type PostedEndpoint,
  type PostedHashBy,
  type PostedPolicy,
  type PostedRoutePart,
} from "./posted.ts"
import type { RoutePart } from "./route-parts.ts"
import {
  addressListFields,
  hostFields,
  namedByRoutes,
  namedByStream,
  routeFields,
  streamFields,
  userListFields,
} from "./wire-route.ts"
import {
  authorityFields,
  certificateFields,
  passthroughFields,
  stapleFields,
  tlsHostFields,
} from "./wire-tls.ts"

// The posted format, docs/wire.md section 1. A change is a sequence of items, cut into bodies that nginx takes in one go.

/** One thing that a change sets or removes, and the JSON that says so. A certificate's has its key, a user list's its hashes: it is for the control socket alone. */
export type Item = { [Kind in LiveKind]: ItemOf<Kind> }[LiveKind] | ItemOf<"routeParts">

interface ItemOf<Kind extends LiveKind | "routeParts"> {
  readonly kind: Kind
  readonly verb: "set" | "remove"
  readonly name: Kind extends LiveKind ? NameOf<Kind> : string
  readonly json: string
  /** ids of the certificates or lists that it names */
  readonly needs?: readonly string[]
}

/** How a thing of each kind is posted, and the ids of what it must not be without. */
const posted: { readonly [Kind in LiveKind]: PostedKind<LiveThings[Kind]> } = {
  certificates: { fields: certificateFields },
  authorities: { fields: authorityFields },
  staples: { fields: stapleFields },
  backends: { fields: backendFields },
  tlsHosts: { fields: tlsHostFields, needs: ({ certificates }) => certificates },
  addressLists: { fields: addressListFields },
  userLists: { fields: userListFields },
  hosts: { fields: hostFields, needs: ({ routes }) => namedByRoutes(routes) },
  passthroughs: { fields: passthroughFields },
  streams: { fields: streamFields, needs: namedByStream },
}

interface PostedKind<T> {
  readonly fields: (thing: T) => object
  readonly needs?: (thing: T) => readonly string[]
}

/** What the list of a kind is called in the control API. */
export function listOf(kind: Item["kind"]): string {
  return lists[kind]
}

/** A part is at most this long unless it has one item only: what a worker reads in about a millisecond, so that traffic does not wait. */
export const partBytes = 128 * 1024

/** nginx takes no longer body (`client_max_body_size` of the control server). */
export const bodyBytes = 1024 * 1024

/**
 * The items of a change in the order they must take effect: what is named before what names it, and removed after. Each is printed when
 * it is asked for, so that a large change does not stop everything else.
 */
export function* itemsOf(change: LiveChange): Generator<Item> {
  yield* setItemsOf(change)
  yield* removeItemsOf(change)
}

export function* setItemsOf(change: LiveChange): Generator<Item> {
  for (const kind of kindsInOrder) yield* setItems(kind, change)
}

export function* removeItemsOf(change: LiveChange): Generator<Item> {
  for (const kind of kindsInOrder.toReversed()) yield* removeItems(kind, change)
}

function* setItems<Kind extends LiveKind>(kind: Kind, change: LiveChange): Generator<Item> {
  const { nameOf } = kinds[kind]
  const { fields, needs }: PostedKind<LiveThings[Kind]> = posted[kind]
  for (const thing of change[kind].set) yield item(kind, "set", nameOf(thing), fields(thing), needs?.(thing))
}

function* removeItems<Kind extends LiveKind>(kind: Kind, change: LiveChange): Generator<Item> {
  for (const name of change[kind].remove) yield item(kind, "remove", name, name)
}

function item<Kind extends LiveKind>(
  kind: Kind,
  verb: Item["verb"],
  name: NameOf<Kind>,
  fields: object | string,
  needs?: readonly string[],
): Item {
  return { kind, verb, name, json: JSON.stringify(fields), ...(needs && { needs }) } as Item
}

/** Sets a host whose routes are in parts. */
export function headItem(host: Host, parts: readonly string[]): Item {
  const { server, host: name, routes } = host
  return item("hosts", "set", { server, host: name }, hostFields(host, parts), namedByRoutes(routes))
}

export function partItem({ id, routes }: RoutePart): Item {
  const fields: PostedRoutePart = { id, routes: routes.map(routeFields) }
  return { kind: "routeParts", verb: "set", name: id, json: JSON.stringify(fields) }
}

export function partRemoval(id: string): Item {
  return { kind: "routeParts", verb: "remove", name: id, json: JSON.stringify(id) }
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
  const names = `"base":${JSON.stringify(base)},"generation":${JSON.stringify(generation)}`
  return `{${[names, ...postedKinds.flatMap((kind) => listsOf(kind, items))].join(",")}}`
}

const postedKinds = Object.keys(lists) as readonly Item["kind"][]

/** Nothing when no item is of this kind. */
function listsOf(kind: Item["kind"], items: readonly Item[]): string[] {
  const own = items.filter((item) => item.kind === kind)
  const list = (verb: Item["verb"]) =>
    own.flatMap((item) => (item.verb === verb ? [item.json] : [])).join(",")
  return own.length === 0 ? [] : [`"${listOf(kind)}":{"set":[${list("set")}],"remove":[${list("remove")}]}`]
}

export function backendFields(backend: Backend): PostedBackend {
  const { affinity, hashBy, slowStartMs, outlierEjection: outlier, policy } = backend
  return {
    name: backend.name,
    "load-balance": policy === undefined ? backend.loadBalance : "custom",
    endpoints: backend.endpoints.map(endpointFields),
    sessionAffinityConfig: affinity && affinityFields(affinity),
    upstreamHashByConfig: hashBy && hashByFields(hashBy),
    trafficShapingPolicy: backend.shaping,
    alternativeBackends: backend.alternatives,
    slowStart: slowStartMs === undefined ? undefined : { window_ms: slowStartMs },
    outlierEjection: outlier && { failures: outlier.failures, ejection_ms: outlier.ejectionMs },
    policy: policy && policyFields(policy),
  }
}

function endpointFields({ address, port, zone }: Endpoint): PostedEndpoint {
  const plain = { address, port: String(port) }
  return zone === undefined ? plain : { ...plain, zone: zone === "ours" ? "ours" : "another" }
}

function policyFields({ name, digest, needs, config }: BackendPolicy): PostedPolicy {
  return { name, digest, config: config === "" ? undefined : config, needs }
}

function affinityFields({ mode, cookie }: CookieAffinity): PostedAffinity {
  const cookieSessionAffinity = {
    name: cookie.name,
    expires: cookie.expiresSeconds,
    maxage: cookie.maxAgeSeconds,
    sessions_of: cookie.sessionsOf,
    secure: cookie.secure,
    path: cookie.path,
    domain: cookie.domain,
    samesite: cookie.sameSite,
    conditional_samesite_none: cookie.conditionalSameSiteNone,
    change_on_failure: cookie.changeOnFailure,
  }
  return { name: "cookie", mode, cookieSessionAffinity }
}

function hashByFields({ key, subsetSize }: HashBy): PostedHashBy {
  return {
    "upstream-hash-by": key,
    "upstream-hash-by-subset": subsetSize !== undefined,
    "upstream-hash-by-subset-size": subsetSize,
  }
}

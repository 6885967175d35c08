import type { LiveChange } from "../../core/plan/change.ts"
import { kinds, kindsInOrder, type NameOf } from "../../core/plan/kinds.ts"
import type { Backend } from "../../model/backend.ts"
import type { LiveKind, LiveThings } from "../../model/model.ts"
import type { Host } from "../../model/route.ts"
import { lists, type PostedBackend, type PostedRoutePart } from "./posted.ts"
import type { RoutePart } from "./route-parts.ts"
import { fieldsOf } from "./wire-object.ts"
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

/** What is asked first is a policy, where there is one: its name in the posted format is that of an algorithm. */
export function backendFields(backend: Backend): PostedBackend {
  const posted = backend.policy === undefined ? backend : { ...backend, loadBalance: "custom" }
  return fieldsOf("Backend", posted) as unknown as PostedBackend
}

import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { compact } from "../../../support/compact.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import { isCanary, type ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import { diverted } from "./diverted-routes.ts"
import { leftOut, unheardAppRoot, unheardClients } from "./foreign-routes.ts"
import { addPaths, type Draft, leaveOutPatterns, rootKey } from "./host-paths.ts"
import { mergeClientValidation } from "./merge-client-validation.ts"
import { type HostOwner, hostOwner, isForeign, type Ownership } from "./ownership.ts"
import { type MergedServer, mergedServer } from "./server-locations.ts"
import { chosenServer } from "./server-snippets.ts"
import { type CanaryOwner, withoutCanaries } from "./without-canaries.ts"

/** What all Ingresses together say about one host. */
export interface MergedHost {
  readonly host: string
  /** whose the host is; absent: everybody's */
  readonly owner?: HostOwner
  /** its `/` first, then the older before the younger */
  readonly routes: readonly ParsedRoute[]
  /** what is said of its server block; absent: nothing */
  readonly server?: MergedServer
  /** what clients have to show; absent: nothing */
  readonly clients?: ClientValidation
  /** the host of a rule that has the same routes, under whose alias it is served */
  readonly aliasOf?: string
}

/** One host as it is merged. */
export interface SettledHost {
  readonly merged: MergedHost
  /** its routes as Ingresses declare them, and what each is served as */
  readonly accepted: Pick<ReadonlyMap<ParsedRoute, ParsedRoute>, "get">
  readonly problems: readonly Problem[]
}

/** What a host is merged with, whichever it is. */
export interface MergeRules {
  readonly ownership: Ownership
  /** `--annotations-prefix` */
  readonly prefix: string
  /** the `/` of `_` as long as no Ingress declares it */
  readonly implicitRoot: ParsedRoute
  readonly derived: DerivedRoutes
  /** what the ConfigMap says of all server blocks; absent: nothing */
  readonly server?: ServerSnippet
}

/**
 * Who has which path of a host, the older Ingress before the younger (behaviour of ingress-nginx): the first of the owner's that mentions the host
 * gives it its `/`, the first route with a path and match wins, and on `_` catch-alls come before rules without host, but not before the owner's.
 *
 * @param ingresses that mention the host, the oldest first
 * @returns undefined when nobody mentions the host, or nobody who may have rules for it
 */
export function mergeHost(
  host: string,
  ingresses: readonly ParsedIngress[],
  ownerOf: CanaryOwner,
  { ownership, prefix, implicitRoot, derived, server: everywhere }: MergeRules,
): SettledHost | undefined {
  const mains = ingresses.filter((ingress) => !isCanary(ingress))
  const owner = hostOwner(host, mains, ownership)
  const draft: Draft = { host, owner, routes: new Map(), problems: [] }
  const declared = admitted(mains, draft, ownership).map((ingress) => {
    return { ingress, ...withoutCanaries(ingress, host, ownerOf, derived, draft.problems) }
  })
  addPaths(draft, declared, host === "_" ? implicitRoot : undefined)
  const { root, routes, problems } = draft
  if (root === undefined) return undefined
  leaveOutPatterns(draft)
  const first = routes.get(root.key) ?? root
  const own = ingresses.filter((ingress) => !isForeign(ingress.root, owner))
  // `_` is always there: a canary alone decides nothing about its clients.
  const clients = mains.length === 0 ? undefined : mergeClientValidation(host, own, problems)
  const closed = unheard(draft, ingresses, clients, prefix)
  const isClosedBySnippet = closedBySnippets(ingresses, owner)
  const { snippet, closed: unspoken } = chosenServer(host, mains, owner, everywhere, problems)
  const canaries = owner === undefined ? [] : ingresses.filter(isCanary)
  const served = (route: ParsedRoute) =>
    closed.has(ingressOf(route)) || unspoken.has(ingressOf(route)) || isClosedBySnippet(route)
      ? derived.closed(route)
      : inServer(diverted(route, host, canaries, derived), snippet, derived)
  const paths = [first, ...routes.values()]
  const accepted = new Map(paths.map((route) => [route, served(route)]))
  const server = snippet && mergedServer(snippet, { host, paths, derived, problems }, isClosedBySnippet)
  const merged = {
    host,
    ...(owner && { owner }),
    routes: compact([...accepted.values()]),
    ...(server && { server }),
    ...(clients && { clients }),
  }
  return { merged, accepted: lookedUp(withBlocks(accepted, server)), problems: compact(problems) }
}

function inServer(
  route: ParsedRoute,
  snippet: ServerSnippet | undefined,
  derived: DerivedRoutes,
): ParsedRoute {
  return snippet === undefined ? route : derived.inServer(route, snippet)
}

/** Location blocks are accepted with the path or the host that they are in. */
function withBlocks(
  accepted: ReadonlyMap<ParsedRoute, ParsedRoute>,
  server: MergedServer | undefined,
): ReadonlyMap<ParsedRoute, ParsedRoute> {
  const nested = [...accepted].flatMap(([{ nested = [] }, served]) =>
    nested.map((block, at) => [block, served.nested?.[at] ?? block] as const),
  )
  const ofServer = server?.routes.map((block) => [block, block] as const) ?? []
  return nested.length + ofServer.length === 0 ? accepted : new Map([...accepted, ...nested, ...ofServer])
}

function lookedUp(accepted: ReadonlyMap<ParsedRoute, ParsedRoute>): SettledHost["accepted"] {
  const [only] = accepted
  return only === undefined || accepted.size > 1 ? accepted : new OneAccepted(...only)
}

/** The only route of a host, as of nearly all: a Map has room for four. */
class OneAccepted {
  readonly #route: ParsedRoute
  readonly #served: ParsedRoute

  constructor(route: ParsedRoute, served: ParsedRoute) {
    this.#route = route
    this.#served = served
  }

  get(route: ParsedRoute): ParsedRoute | undefined {
    return route === this.#route ? this.#served : undefined
  }
}

/** A `server-snippet` that may keep requests out closes the paths of its namespace, and the owner's all of the host. */
function closedBySnippets(
  ingresses: readonly ParsedIngress[],
  owner: HostOwner | undefined,
): (route: Pick<ParsedRoute, "source">) => boolean {
  const closing = new Set(ingresses.filter((it) => it.closesHosts).map(({ root }) => root.source.namespace))
  const closesAll = owner !== undefined && closing.has(owner.namespace)
  return ({ source: { namespace } }) => closesAll || closing.has(namespace)
}

/** Those that may have rules for the host. The namespace that the operator has given it to comes before all others. */
function admitted(
  mains: readonly ParsedIngress[],
  { host, owner, problems }: Draft,
  { crossNamespace }: Ownership,
): readonly ParsedIngress[] {
  if (owner === undefined) return mains
  const [own, others] = [false, true].map((isOther) =>
    mains.filter(({ root }) => isForeign(root, owner) === isOther),
  ) as [ParsedIngress[], ParsedIngress[]]
  if (crossNamespace !== "none") return owner.oldest === undefined ? [...own, ...others] : mains
  for (const ingress of others) problems.push(...leftOut(ingress, { host, owner }))
  return own
}

/**
 * Tells other namespaces which of their words about the host as a whole have no effect.
 *
 * @returns `namespace/name` of the Ingresses whose paths are closed for that
 */
function unheard(
  { host, owner, root, routes, problems }: Draft,
  ingresses: readonly ParsedIngress[],
  clients: ClientValidation | undefined,
  prefix: string,
): ReadonlySet<string> {
  const closed = new Set<string>()
  if (owner === undefined) return closed
  const answers = routes.get(rootKey) ?? root
  for (const ingress of ingresses) {
    if (!isForeign(ingress.root, owner)) continue
    const unasked = unheardClients(ingress, clients, { host, owner })
    if (unasked !== undefined) closed.add(ingress.name)
    if (unasked !== undefined) problems.push(unasked)
    const hasOther = answers === undefined || ingressOf(answers) !== ingress.name
    if (hasOther && wantsAppRoot(ingress, host))
      problems.push(unheardAppRoot(ingress, { host, owner }, prefix))
  }
  return closed
}

function ingressOf({ source }: ParsedRoute): string {
  return qualifiedName(source)
}

function wantsAppRoot({ rules }: ParsedIngress, host: string): boolean {
  const routes = rules.flatMap((rule) => (rule.host === host ? rule.routes : []))
  return routes.some(({ filters }) => filters.appRoot !== undefined)
}

import { fieldPath } from "../../model/field-path.ts"
import type { Ports } from "../../model/http/processes.ts"
import { distinctBy } from "../../support/distinct.ts"
import { getOrMake } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import type { DeclaredListener } from "../declared/listener.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import { nameOf } from "./finding.ts"
import type { Contribution, ServedListener } from "./hosts/listener-hosts.ts"
import { type AttachableListener, isHeld, isWeb } from "./listeners/attachable.ts"
import { serversOf } from "./placement.ts"
import type { BuildPlace, RouteBuilds } from "./routes/route-builds.ts"
import type { Settled } from "./settle.ts"
import { declaredStreams, type StreamContribution, type StreamListeners } from "./streams/declared-streams.ts"
import { declaredStream, refusedBackend } from "./streams/stream-build.ts"
import { listenerId, type Validations } from "./tls/declared-tls.ts"

// What of the settled objects is served.

type ByName = ReadonlyMap<string, readonly Contribution[]>

const noNames: ByName = new Map()

/** Where they are served. */
interface ServingPlace extends BuildPlace {
  readonly validations: Validations
  /** of Ingresses */
  readonly ports: Ports
}

/** The listeners of requests, with their routes. */
export function servedListeners(
  settled: Settled,
  builds: RouteBuilds,
  { validations, ports, ...place }: ServingPlace,
): readonly ServedListener[] {
  const routes = contributions(settled, builds, place)
  return settled.gateways.flatMap((of) =>
    of.listeners.flatMap((listener) => {
      const { spec } = listener
      if (!isHeld(listener) || !isWeb(spec)) return []
      const scheme = spec.protocol === "HTTPS" ? "https" : "http"
      const servers = serversOf(of.place, scheme, spec.port, ports)
      if (servers.length === 0) return []
      const side = { scheme, port: spec.port } as const
      const byName = (listener.isClosed ? undefined : routes.get(listener)) ?? noNames
      const clients = validations.of(listener)
      const ofTls = { id: listenerId(listener), ...(clients && { clients }) }
      return [{ listener, servers, side, byName, ...(scheme === "https" && ofTls) }]
    }),
  )
}

function contributions(
  { webRoutes, gateways }: Settled,
  builds: RouteBuilds,
  place: BuildPlace,
): ReadonlyMap<AttachableListener, ByName> {
  const pairs = new Map(gateways.map(({ gateway, backendPair }) => [gateway, backendPair.file]))
  const all = new Map<AttachableListener, Map<string, Contribution[]>>()
  for (const { built: usual, parents } of webRoutes) {
    for (const { listener, names } of parents.flatMap(({ attachments }) => attachments)) {
      const pair = pairs.get(listener.gateway)
      const built = pair === undefined ? usual : builds.web.of(usual.route, place, pair)
      const byName = getOrMake(all, listener, () => new Map<string, Contribution[]>())
      for (const { own, served } of names) getOrMake(byName, served, () => []).push({ built, own })
    }
  }
  return all
}

/** The ports that nginx has to listen on for requests. */
export function declaredListeners({ gateways }: Settled): readonly DeclaredListener[] {
  return gateways.flatMap(({ listeners, place }) =>
    listeners.flatMap((listener): readonly DeclaredListener[] => {
      const { spec, owner, field } = listener
      const port = place.portOf(spec.port)
      if (!isWeb(spec) || !isHeld(listener) || port === undefined) return []
      const scheme = spec.protocol === "HTTPS" ? "https" : "http"
      return [{ scheme, port, source: nameOf(owner), field: fieldPath(field, "port") }]
    }),
  )
}

export function servedStreams({ gateways, streamRoutes }: Settled): readonly DeclaredStream[] {
  const contributed = new Map<AttachableListener, StreamContribution[]>()
  for (const { built, parents } of streamRoutes)
    for (const { listener, names } of parents.flatMap(({ attachments }) => attachments))
      getOrMake(contributed, listener, () => []).push(...names.map((name) => ({ built, ...name })))
  return declaredStreams(
    gateways.flatMap(({ listeners, place, backendPair: { pair } }) =>
      listeners.flatMap((listener): readonly StreamListeners[] => {
        const port = place.portOf(listener.spec.port)
        if (port === undefined || isWeb(listener.spec) || !isHeld(listener)) return []
        const contributions = listener.isClosed ? [] : (contributed.get(listener) ?? [])
        return [{ listener, port, addresses: place.addresses, contributions, ...(pair && { pair }) }]
      }),
    ),
  )
}

/** Each once, by name. */
export function declaredBackends({ webRoutes, streamRoutes, gateways }: Settled): readonly DeclaredBackend[] {
  const isClosed = gateways.some(({ listeners }) => listeners.some((it) => it.isClosed && !isWeb(it.spec)))
  const ofRoutes = [...webRoutes, ...streamRoutes].flatMap(({ built }) => built.backends)
  const all = isClosed ? [...ofRoutes, declaredStream(refusedBackend)] : ofRoutes
  return distinctBy(all, ({ name }) => name).toSorted((a, b) => compareText(a.name, b.name))
}

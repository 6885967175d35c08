import type { Ports } from "../../model/http/processes.ts"
import { distinctBy } from "../../support/distinct.ts"
import { getOrMake } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import type { DeclaredListener } from "../declared/listener.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import { type Contributions, ListenerRoutes } from "./hosts/contributions.ts"
import type { ServedListener } from "./hosts/listener-hosts.ts"
import { type AttachableListener, isHeld, isWeb, portAsker } from "./listeners/attachable.ts"
import { serversOf } from "./placement.ts"
import type { Settled, SettledGateway } from "./settle.ts"
import { declaredStreams, type StreamContribution, type StreamListeners } from "./streams/declared-streams.ts"
import { declaredStream, refusedBackend } from "./streams/stream-build.ts"
import { listenerId, type Validations } from "./tls/declared-tls.ts"

// What of the settled objects is served.

/** Where they are served. */
interface ServingPlace {
  readonly contributions: Contributions
  readonly validations: Validations
  /** of Ingresses */
  readonly ports: Ports
}

/** Of a closed listener. */
const noRoutes = new ListenerRoutes()

/** The listeners of requests, with their routes. */
export function servedListeners(
  gateways: readonly SettledGateway[],
  { contributions, validations, ports }: ServingPlace,
): readonly ServedListener[] {
  return gateways.flatMap((of) =>
    of.listeners.flatMap((listener) => {
      const { spec } = listener
      if (!isHeld(listener) || !isWeb(spec)) return []
      const scheme = spec.protocol === "HTTPS" ? "https" : "http"
      const servers = serversOf(of.place, scheme, spec.port, ports)
      if (servers.length === 0) return []
      const side = { scheme, port: spec.port } as const
      const routes = listener.isClosed ? noRoutes : contributions.of(listener)
      const clients = validations.of(listener)
      const ofTls = { id: listenerId(listener), ...(clients && { clients }) }
      return [{ listener, servers, side, routes, ...(scheme === "https" && ofTls) }]
    }),
  )
}

/** The ports that nginx has to listen on for requests. */
export function declaredListeners(gateways: readonly SettledGateway[]): readonly DeclaredListener[] {
  return gateways.flatMap(({ listeners, place, parameters }) =>
    listeners.flatMap((listener): readonly DeclaredListener[] => {
      const { spec } = listener
      const port = place.portOf(spec.port)
      if (!isWeb(spec) || !isHeld(listener) || port === undefined) return []
      const scheme = spec.protocol === "HTTPS" ? "https" : "http"
      const isOther = port !== spec.port && place.isShared !== true
      const hasHttp3 = scheme === "https" && parameters.http3 === "true"
      const more = { ...(isOther && { clientPort: spec.port }), ...(hasHttp3 && { hasHttp3 }) }
      return [{ scheme, port, ...more, ...portAsker(listener) }]
    }),
  )
}

export function servedStreams(
  gateways: readonly SettledGateway[],
  streamRoutes: Settled["streamRoutes"],
): readonly DeclaredStream[] {
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

/** With what refuses the connections of closed listeners. @param used what routes use, by name */
export function declaredBackends(
  used: readonly DeclaredBackend[],
  gateways: readonly SettledGateway[],
): readonly DeclaredBackend[] {
  const isClosed = gateways.some(({ listeners }) => listeners.some((it) => it.isClosed && !isWeb(it.spec)))
  if (!isClosed) return used
  const all = [...used, declaredStream(refusedBackend)]
  return distinctBy(all, ({ name }) => name).toSorted((a, b) => compareText(a.name, b.name))
}

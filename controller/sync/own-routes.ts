import { defaultBackendName } from "../core/declared/backend-ref.ts"
import type { Backend } from "../model/backend.ts"
import { byHost, type HostName } from "../model/host-name.ts"
import { sharedServer } from "../model/listener.ts"
import type { Model } from "../model/model.ts"
import type { Host, Route } from "../model/route.ts"
import { LastResult, rememberedLast } from "../support/incremental/last-result.ts"
import { placeOf, withItems } from "../support/incremental/sorted-list.ts"
import { getOrMake } from "../support/maps.ts"
import { compareText } from "../support/order.ts"

/** Named locations of nginx/templates/main-server.liquid; they are in every configuration. */
export const ownLocations: readonly string[] = ["healthz", "nginx-status"]

/**
 * Adds the routes by which nginx says that it is well, as load balancers ask on the traffic port, and how busy it is. They belong to `_`
 * of the ports of Ingresses, so that every host that has routes keeps the paths to itself, and give way to routes of an Ingress. Source: ingress-nginx, the default server.
 *
 * @param healthPath `--health-check-path`
 */
export function withOwnRoutes(model: Model, healthPath: string): Model {
  const { hosts } = model.live
  const complete = lastHosts.of([hosts, healthPath], () => withRoutes(hosts, healthPath))
  return complete === hosts ? model : { ...model, live: { ...model.live, hosts: complete } }
}

/** What did not change stays the same object. */
const lastHosts = new LastResult<readonly Host[]>()
const lastHost = rememberedLast<Host, Host>()

const everyOther: HostName = { server: sharedServer, host: "_" }

/** @param hosts in their order */
function withRoutes(hosts: readonly Host[], healthPath: string): readonly Host[] {
  const at = placeOf<HostName>(hosts, everyOther, byHost)
  const host = hosts[at]
  return host && byHost(host, everyOther) === 0
    ? hosts.with(
        at,
        lastHost(host, [healthPath], () => withOwn(host, healthPath)),
      )
    : hosts
}

function withOwn(host: Host, healthPath: string): Host {
  const taken = new Set(host.routes.filter(({ match }) => match === "exact").map(({ path }) => path))
  const own = [ownRoute(healthPath, "healthz"), ownRoute("/nginx_status", "nginx-status")]
  return { ...host, routes: [...host.routes, ...own.filter(({ path }) => !taken.has(path))] }
}

function ownRoute(path: string, location: string): Route {
  return {
    path,
    match: "exact",
    location,
    backend: defaultBackendName,
    namespace: "",
    ingressName: "",
    serviceName: "",
    servicePort: "",
    locationPath: path,
    overrides: {},
  }
}

/** The same list for the same list, so that a pass that changed no backend compares none. */
const lastBackends = new LastResult<readonly Backend[]>()

/**
 * Adds the backend of requests that no rule matches, where no Service is it: the server that answers 404. The routes answer so themselves, without
 * asking it; lists of backends are expected to have it. Source: ingress-nginx, `upstream-default-backend`.
 *
 * @param port `--default-server-port`
 */
export function withOwnBackend(model: Model, port: number): Model {
  const { backends } = model.live
  const complete = lastBackends.of([backends, port], () => withBackend(backends, ownBackend(port)))
  return complete === backends ? model : { ...model, live: { ...model.live, backends: complete } }
}

/** In its place among backends in order, unless one has its name. */
function withBackend(backends: readonly Backend[], own: Backend): readonly Backend[] {
  const isTaken = backends[placeOf(backends, own, byName)]?.name === own.name
  return isTaken ? backends : withItems(backends, [own], byName)
}

const byName = (a: Backend, b: Backend) => compareText(a.name, b.name)

const ownBackends = new Map<number, Backend>()

/** The same object for the same port. */
function ownBackend(port: number): Backend {
  return getOrMake(ownBackends, port, () => ({
    name: defaultBackendName,
    loadBalance: "round_robin",
    endpoints: [{ address: "127.0.0.1", port }],
  }))
}

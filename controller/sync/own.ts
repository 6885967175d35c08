import { defaultBackendName } from "../core/declared/backend-ref.ts"
import type { Backend } from "../model/backend.ts"
import type { Model } from "../model/model.ts"
import type { Route } from "../model/route.ts"
import { rememberedLast } from "../support/incremental/last-result.ts"

/** Named locations of nginx/templates/main-server.liquid; they are in every configuration. */
export const ownPolicies: readonly string[] = ["healthz", "nginx-status"]

/**
 * Adds the routes by which nginx says that it is well, as load balancers ask on the traffic port, and how busy it is. They belong to `_`, so
 * that every host that has routes keeps the paths to itself, and give way to routes of an Ingress. Source: ingress-nginx, the default server.
 *
 * @param healthPath `--health-check-path`
 */
export function withOwnRoutes(model: Model, healthPath: string): Model {
  const { hosts } = model.live
  const at = hosts.findIndex(({ host }) => host === "_")
  const host = hosts[at]
  if (!host) return model
  const taken = new Set(host.routes.filter(({ match }) => match === "exact").map(({ path }) => path))
  const own = [ownRoute(healthPath, "healthz"), ownRoute("/nginx_status", "nginx-status")]
  const routes = [...host.routes, ...own.filter(({ path }) => !taken.has(path))]
  return { ...model, live: { ...model.live, hosts: hosts.with(at, { ...host, routes }) } }
}

function ownRoute(path: string, policy: string): Route {
  return {
    path,
    match: "exact",
    policy,
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
const lastBackends = rememberedLast<readonly Backend[], readonly Backend[]>()

/**
 * Adds the backend of requests that no rule matches, where no Service is it: the server that answers 404. The routes answer so themselves, without
 * asking it; whoever lists backends expects it. Source: ingress-nginx, `upstream-default-backend`.
 *
 * @param port `--default-server-port`
 */
export function withOwnBackend(model: Model, port: number): Model {
  const { backends } = model.live
  const complete = lastBackends(backends, [port], () =>
    backends.some(({ name }) => name === defaultBackendName) ? backends : [...backends, ownBackend(port)],
  )
  return complete === backends ? model : { ...model, live: { ...model.live, backends: complete } }
}

const ownBackend = (port: number): Backend => ({
  name: defaultBackendName,
  loadBalance: "round_robin",
  endpoints: [{ address: "127.0.0.1", port }],
})

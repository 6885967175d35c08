import type { Model } from "../model/model.ts"
import type { Route } from "../model/route.ts"

/** Named location of nginx/templates/main-server.liquid; it is in every configuration. */
export const healthPolicy = "healthz"

/**
 * Adds the route by which nginx says that it is well, as load balancers ask on the traffic port. It belongs to `_`, so that every host that
 * has routes keeps the path to itself, and gives way to a route of an Ingress. Source: ingress-nginx, the default server's health location.
 *
 * @param path `--health-check-path`
 */
export function withHealthRoute(model: Model, path: string): Model {
  const { hosts } = model.live
  const at = hosts.findIndex(({ host }) => host === "_")
  const host = hosts[at]
  if (!host || host.routes.some((route) => route.match === "exact" && route.path === path)) return model
  const withRoute = { ...host, routes: [...host.routes, healthRoute(path)] }
  return { ...model, live: { ...model.live, hosts: hosts.with(at, withRoute) } }
}

function healthRoute(path: string): Route {
  return {
    path,
    match: "exact",
    policy: healthPolicy,
    backend: "upstream-default-backend",
    namespace: "",
    ingressName: "",
    serviceName: "",
    servicePort: "",
    locationPath: path,
    overrides: {},
  }
}

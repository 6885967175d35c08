import type { Model } from "../model/model.ts"
import type { Host, Route } from "../model/route.ts"

/** Named location of nginx/templates/main-server.liquid; it is in every configuration. */
export const healthPolicy = "healthz"

/**
 * Adds the route by which nginx says that it is well, as load balancers ask on the traffic port. It belongs to `_`, so that every host that
 * has routes keeps the path to itself, and gives way to a route of an Ingress. Source: ingress-nginx, the default server's health location.
 *
 * @param path `--health-check-path`
 */
export function withHealthRoute({ fixed, live }: Model, path: string): Model {
  return { fixed, live: { ...live, hosts: live.hosts.map((host) => withRoute(host, path)) } }
}

function withRoute(host: Host, path: string): Host {
  const isTaken = host.routes.some((route) => route.match === "exact" && route.path === path)
  return host.host === "_" && !isTaken ? { ...host, routes: [...host.routes, healthRoute(path)] } : host
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

import type { Route } from "../../model/route.ts"

/** The same path, whose requests are answered 503: for a route that cannot be served, as another path must not be open in its place. */
export function closedRoute({ path, match, policy, backend, locationPath, ...others }: Route): Route {
  const { namespace, ingressName, serviceName, servicePort } = others
  const names = { namespace, ingressName, serviceName, servicePort, locationPath }
  return { path, match, policy, backend, ...names, status: 503, overrides: {} }
}

import type { Route } from "../../model/route.ts"

/** The same path and conditions, whose requests are answered 503: for a route that cannot be served, as another path must not be open in its place. */
export function closedRoute({ path, match, location, backend, locationPath, ...others }: Route): Route {
  const { namespace, ingressName, serviceName, servicePort, conditions, hasNoSlashRedirect, within, rule } =
    others
  const names = { namespace, ingressName, serviceName, servicePort, locationPath }
  return {
    path,
    match,
    location,
    backend,
    ...names,
    ...(conditions && { conditions }),
    ...(hasNoSlashRedirect && { hasNoSlashRedirect }),
    ...(within !== undefined && { within }),
    ...(rule !== undefined && { rule }),
    status: 503,
    overrides: {},
  }
}

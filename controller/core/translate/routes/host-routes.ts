import type { Host, Route, RouteVariables } from "../../../model/route.ts"
import type { rememberedLast } from "../../../support/incremental/last-result.ts"
import type { MergedHost } from "../hosts/merged-host.ts"
import { isDenied, type ParsedRoute } from "../parsed/parsed-route.ts"
import type { RouteAccess } from "../parsed/route-access.ts"
import type { RouteFilters } from "../parsed/route-filters.ts"
import type { HostTls } from "../tls/host-tls.ts"
import { locationsOf, type RouteLocation } from "./locations.ts"
import { type FindTarget, type Serving, servingOf } from "./serving.ts"

/** A host as the model has it. */
export function hostOf(merged: MergedHost, tls: HostTls, targetOf: FindTarget, remembered: LastRoutes): Host {
  const { host, clients } = merged
  const server = "main"
  if (clients?.kind === "nobody") return { server, host, routes: [closedRoute(clients.root, tls, targetOf)] }
  const routes = locationsOf(merged).map((location) => {
    return lastRoute(location, servingOf(location.route, targetOf), tls, remembered)
  })
  return { server, host, routes, ...(clients && { clientCertificate: clients.certificate }) }
}

/** A host that has the routes of another, and asks of its own clients what it says. */
export function aliasHost({ host, clients, owner, routes }: MergedHost, aliasOf: string): Host {
  const asked = clients !== undefined &&
    clients.kind !== "nobody" && { clientCertificate: clients.certificate }
  const namespace = owner?.namespace ?? routes[0]?.namespace ?? ""
  return { server: "main", host, routes: [], ...asked, aliasOf, owner: namespace }
}

/** Takes the place of all routes of a host: none of them may be reached, by whatever path. */
function closedRoute(route: ParsedRoute, tls: HostTls, targetOf: FindTarget): Route {
  const closed = { ...servingOf(route, targetOf), status: 403 }
  return routeOf({ route, path: route.path, match: route.match }, closed, tls)
}

/** Remembers with each declared route what was last made of it. */
export type LastRoutes = ReturnType<typeof rememberedLast<ParsedRoute, Route>>

/** Of a host with many routes most stay the same objects when it changes. */
function lastRoute(location: RouteLocation, serving: Serving, tls: HostTls, remembered: LastRoutes): Route {
  const { route, path, match, appRoot } = location
  const { policy, backend, status, isFallback, endpointName, errorBackend } = serving
  const served = [policy, backend, status, isFallback, endpointName, errorBackend]
  const inputs = [path, match, appRoot, ...served, tls.isCertified]
  return remembered(route, inputs, () => routeOf(location, serving, tls))
}

function routeOf(
  { route, path, match, appRoot }: RouteLocation,
  serving: Serving,
  { isCertified }: HostTls,
): Route {
  const { filters, proxying } = route
  const { policy, backend, status } = serving
  const answers: Answers = appRoot === undefined ? filters : { redirect: appRoot }
  const variables = variablesOf(route, answers, serving)
  return {
    path,
    match,
    policy: policy.name,
    backend,
    ...(status !== undefined && { status }),
    ...(!isDenied(route) && answersOf(answers, isCertified)),
    namespace: route.namespace,
    ingressName: route.ingressName,
    serviceName: route.backend?.service ?? "",
    servicePort: route.backend?.port ?? "",
    locationPath: route.path,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(proxying.headers.length > 0 && { headers: proxying.headers }),
    ...(!isDenied(route) && checksOf(route)),
    ...(proxying.tracing && { tracing: proxying.tracing }),
    overrides: filters.overrides ? { ...proxying.overrides, ...filters.overrides } : proxying.overrides,
  }
}

/** What a request has to pass, and who is told about it: a denied route has none, and answers nobody's preflight. */
function checksOf({ access, proxying: { cors, limits } }: ParsedRoute): Partial<Route> {
  return { ...accessOf(access), ...(cors && { cors }), ...(limits && { limits: limits.limits }) }
}

function accessOf({
  allow,
  deny,
  basic,
  digest,
  external,
  needsOneOnly,
}: RouteAccess): Pick<Route, "access"> {
  if ([allow, deny, basic, digest, external].every((check) => check === undefined)) return {}
  return {
    access: {
      ...(allow && { allow: allow.id }),
      ...(deny && { deny: deny.id }),
      ...(needsOneOnly && { satisfy: "any" }),
      ...(basic && { basic: { users: basic.users.id, realm: basic.realm } }),
      ...(digest && { digest: { users: digest.users.id, realm: digest.realm } }),
      ...(external && { external: external.auth }),
    },
  }
}

/** What becomes of a request before it is passed on. */
type Answers = Pick<RouteFilters, "redirect" | "httpsRedirect" | "rewrite">

function variablesOf(
  { proxying, balancing }: ParsedRoute,
  { rewrite }: Answers,
  { backend, status, isFallback, endpointName, errorBackend }: Serving,
): RouteVariables {
  const hasSessions =
    balancing.affinity !== undefined && balancing.canary === undefined && !isFallback && status === undefined
  return {
    ...proxying.variables,
    ...(hasSessions && { session: backend }),
    ...(rewrite?.forwardedPrefix !== undefined && { forwardedPrefix: rewrite.forwardedPrefix }),
    ...(endpointName !== undefined && { proxySslName: endpointName }),
    ...(errorBackend !== undefined && { errorBackend }),
  }
}

function answersOf({ redirect, httpsRedirect, rewrite }: Answers, isCertified: boolean): Partial<Route> {
  const isSent = httpsRedirect !== undefined && (isCertified || !httpsRedirect.needsCertificate)
  return {
    ...(redirect !== undefined && { redirect }),
    ...(isSent && { httpsRedirect: httpsRedirect.redirect }),
    ...(rewrite !== undefined && { rewrite: rewrite.to }),
    ...(rewrite?.isLogged && { logsRewrite: true }),
    ...(rewrite?.isRaw && { rewritesRaw: true }),
  }
}

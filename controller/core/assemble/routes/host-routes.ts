import type { Host, Route, RouteVariables } from "../../../model/route.ts"
import { routeSourceName } from "../../../model/route-source.ts"
import type { rememberedLast } from "../../../support/incremental/last-result.ts"
import type { RouteAccess } from "../../declared/access.ts"
import type { RouteFilters } from "../../declared/filters.ts"
import type { DeclaredHost, DeclaredSteps } from "../../declared/host.ts"
import { literal } from "../../declared/literal.ts"
import { isDenied, type Rule } from "../../declared/rule.ts"
import type { HostTls } from "../tls/host-tls.ts"
import { actionOverrides, redirectOf } from "./actions.ts"
import type { FindTarget } from "./find-target.ts"
import { type Serving, servingOf, vhostOf } from "./serving.ts"

/** A host as the model has it. */
export function hostOf(
  declared: DeclaredHost,
  tls: HostTls,
  targetOf: FindTarget,
  remembered: LastRoutes,
): Host {
  const { server, host, listener, clients, rules, script } = declared
  const place = { server, host, ...(listener !== undefined && { listener }) }
  if (clients?.kind === "nobody") return { ...place, routes: [closedRoute(clients.root, tls, targetOf)] }
  const routes = rules.map((rule) => lastRoute(rule, servingOf(rule, targetOf), tls, remembered))
  return {
    ...place,
    routes,
    ...(clients && { clientCertificate: clients.certificate }),
    ...(script && { script: scriptOf(script) }),
  }
}

function scriptOf({ steps, level, source }: DeclaredSteps): NonNullable<Host["script"]> {
  return {
    steps,
    ...(level && { levels: [level] }),
    namespace: source.namespace,
    ingressName: routeSourceName(source),
  }
}

/** A host that has the routes of another, and asks of its own clients what it says. */
export function aliasHost({ server, host, clients, owner, script }: DeclaredHost, aliasOf: string): Host {
  const asked = clients !== undefined &&
    clients.kind !== "nobody" && { clientCertificate: clients.certificate }
  return { server, host, routes: [], ...asked, ...(script && { script: scriptOf(script) }), aliasOf, owner }
}

/** Takes the place of all routes of a host: none of them may be reached, by whatever path. */
function closedRoute({ script: _, ...rule }: Rule, tls: HostTls, targetOf: FindTarget): Route {
  return routeOf(rule, { ...servingOf(rule, targetOf), status: 403 }, tls)
}

/** Remembers with each rule what was last made of it. */
export type LastRoutes = ReturnType<typeof rememberedLast<Rule, Route>>

/** Of a host with many routes most stay the same objects when it changes. */
function lastRoute(rule: Rule, serving: Serving, tls: HostTls, remembered: LastRoutes): Route {
  const { location, backend, status, isFallback, endpointName, errorBackend } = serving
  const shares = serving.split?.flatMap((share) => [share.backend, share.status, ...copied(share)]) ?? []
  const inputs = [location, backend, status, isFallback, endpointName, errorBackend, tls.isCertified]
  return remembered(rule, [...inputs, ...shares, ...copied(serving)], () => routeOf(rule, serving, tls))
}

/** All else of actions is the rule's own. */
function copied({ actions }: Pick<Route, "actions">): readonly string[] {
  return actions?.mirrors?.map(({ backend }) => backend) ?? []
}

function routeOf(rule: Rule, serving: Serving, { isCertified }: HostTls): Route {
  const { path, match, conditions, filters, proxying, source, script, within } = rule
  const { location, backend, backendTls, status, split, actions } = serving
  const said = filters.overrides ? { ...proxying.overrides, ...filters.overrides } : proxying.overrides
  const variables = variablesOf(rule, serving)
  return {
    path,
    match,
    location: location.name,
    backend,
    ...(status !== undefined && { status }),
    ...(!isDenied(rule) && answersOf(filters, isCertified)),
    ...(!isDenied(rule) && rule.actions?.redirect && { redirect: redirectOf(rule.actions.redirect) }),
    namespace: source.namespace,
    ingressName: routeSourceName(source),
    serviceName: rule.backend?.service ?? "",
    servicePort: rule.backend?.port ?? "",
    locationPath: rule.locationPath ?? path,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(proxying.headers.length > 0 && { headers: proxying.headers }),
    ...(!isDenied(rule) && checksOf(rule)),
    ...(!isDenied(rule) && script && { script }),
    ...(within !== undefined && { within }),
    ...(rule.hasNoSlashRedirect && { hasNoSlashRedirect: true as const }),
    ...(proxying.tracing && { tracing: proxying.tracing }),
    ...(conditions && { conditions }),
    ...(split && { split }),
    ...(actions && { actions }),
    ...(backendTls && { backendTls }),
    ...(rule.name !== undefined && { rule: rule.name }),
    overrides: rule.actions ? { ...said, ...actionOverrides(rule, said) } : said,
  }
}

/** What a request has to pass, and who is told about it: a denied route has none, and answers nobody's preflight. */
function checksOf({ access, proxying: { cors, limits, waf } }: Rule): Partial<Route> {
  return {
    ...accessOf(access),
    ...(cors && { cors }),
    ...(limits && { limits: limits.limits }),
    ...(waf && { waf }),
  }
}

/** All else that is said of clients is a check: where there is none, everybody may request the route. */
function accessOf({ isClosed: _, needsOneOnly, ...checks }: RouteAccess): Pick<Route, "access"> {
  if (Object.values(checks).every((check) => check === undefined)) return {}
  const { allow, deny, basic, digest, external, rules, geo } = checks
  return {
    access: {
      ...(allow && { allow: allow.id }),
      ...(deny && { deny: deny.id }),
      ...(rules && { rules }),
      ...geo,
      ...(needsOneOnly && { satisfy: "any" }),
      ...(basic && { basic: { users: basic.users.id, realm: basic.realm } }),
      ...(digest && { digest: { users: digest.users.id, realm: digest.realm } }),
      ...(external && { external: external.auth }),
    },
  }
}

function variablesOf(
  { proxying, filters: { rewrite }, actions, beginsSessions }: Rule,
  { backend, status, isFallback, endpointName, errorBackend }: Serving,
): RouteVariables {
  return {
    ...proxying.variables,
    ...templatesOf(vhostOf(actions)),
    ...(beginsSessions && !isFallback && status === undefined && { session: backend }),
    ...(rewrite?.forwardedPrefix !== undefined && { forwardedPrefix: rewrite.forwardedPrefix }),
    ...(endpointName !== undefined && { proxySslName: endpointName }),
    ...(errorBackend !== undefined && { errorBackend }),
  }
}

/** Literal texts as templates. */
function templatesOf({ upstreamVhost }: RouteVariables): RouteVariables {
  return upstreamVhost === undefined ? {} : { upstreamVhost: literal(upstreamVhost) }
}

/** What becomes of a request before it is passed on. */
function answersOf({ redirect, httpsRedirect, rewrite }: RouteFilters, isCertified: boolean): Partial<Route> {
  const isSent = httpsRedirect !== undefined && (isCertified || !httpsRedirect.needsCertificate)
  return {
    ...(redirect !== undefined && { redirect }),
    ...(isSent && { httpsRedirect: httpsRedirect.redirect }),
    ...(rewrite !== undefined && { rewrite: rewrite.to }),
    ...(rewrite?.isLogged && { logsRewrite: true }),
    ...(rewrite?.isRaw && { rewritesRaw: true }),
  }
}

import type { Access, AddressList, ExternalAuth, UserList } from "../../model/access.ts"
import type { Limits } from "../../model/limits.ts"
import type { Overrides } from "../../model/overrides.ts"
import type { Cors, Host, HostClientCertificate, Route, RouteVariables } from "../../model/route.ts"
import {
  criticalFields,
  type PostedAccess,
  type PostedAddressList,
  type PostedClientCertificate,
  type PostedCors,
  type PostedExternalAuth,
  type PostedHost,
  type PostedLimits,
  type PostedOverrides,
  type PostedRoute,
  type PostedUserList,
  postedOverrides,
} from "./posted.ts"
import { withCritical } from "./wire-critical.ts"

// A host in the posted format, docs/wire.md section 1. What is undefined is absent there.

/** @param parts ids of the parts that have its routes; absent: it has them itself */
export function hostFields(
  { server, host, clientCertificate: asked, routes, aliasOf, isClosed }: Host,
  parts?: readonly string[],
): PostedHost {
  const client_certificate = asked && clientCertificateFields(asked)
  const own = parts === undefined ? routes.map(routeFields) : []
  const names = { server, host, closed: isClosed, alias_of: aliasOf }
  const fields: PostedHost = { ...names, client_certificate, parts, routes: own }
  return withCritical(fields, criticalFields.Host)
}

function clientCertificateFields(asked: HostClientCertificate): PostedClientCertificate {
  const fields: PostedClientCertificate = {
    authority: asked.authority,
    verify: asked.verify,
    match_cn: asked.matchCn,
    error_page: asked.errorPage,
    pass_certificate: asked.passesCertificate,
  }
  return withCritical(fields, criticalFields.ClientCertificate)
}

export function routeFields(route: Route): PostedRoute {
  const fields: PostedRoute = {
    path: route.path,
    match: route.match,
    policy: route.policy,
    backend: route.backend,
    namespace: route.namespace,
    ingress_name: route.ingressName,
    service_name: route.serviceName,
    service_port: route.servicePort,
    location_path: route.locationPath,
    status: route.status,
    redirect: route.redirect,
    https_redirect: route.httpsRedirect,
    rewrite: route.rewrite,
    log_rewrite: route.logsRewrite,
    rewrite_raw: route.rewritesRaw,
    variables: route.variables && variableFields(route.variables),
    headers: route.headers,
    access: route.access && accessFields(route.access),
    cors: route.cors && corsFields(route.cors),
    limits: route.limits && limitFields(route.limits),
    trace: route.tracing && true,
    trace_begins: route.tracing?.beginsTrace,
    span_name: route.tracing?.spanName,
    overrides: overrideFields(route.overrides),
  }
  return withCritical(fields, criticalFields.Route)
}

function corsFields(cors: Cors): PostedCors {
  return {
    origins: cors.origins,
    allow_methods: cors.methods,
    allow_headers: cors.headers,
    expose_headers: cors.exposedHeaders,
    max_age: String(cors.maxAgeSeconds),
    credentials: cors.allowsCredentials || undefined,
  }
}

function limitFields(limits: Limits): PostedLimits {
  const fields: PostedLimits = {
    key: limits.key,
    rps: limits.rps,
    rpm: limits.rpm,
    burst_multiplier: limits.burstMultiplier,
    connections: limits.connections,
    exempt: limits.exempt,
    by: limits.by,
    ipv6_bits: limits.ipv6Bits,
    headers: limits.hasHeaders,
  }
  return withCritical(fields, criticalFields.Limits)
}

function accessFields(access: Access): PostedAccess {
  const external = access.external && externalAuthFields(access.external)
  return withCritical<PostedAccess>({ ...access, external }, criticalFields.Access)
}

function externalAuthFields(external: ExternalAuth): PostedExternalAuth {
  const fields: PostedExternalAuth = {
    policy: external.policy,
    backend: external.backend,
    target: external.target,
    host: external.host,
    method: external.method,
    headers: external.headers,
    response_headers: external.responseHeaders,
    signin: external.signin,
    request_redirect: external.requestRedirect,
    always_set_cookie: external.alwaysSetsCookie || undefined,
    cache_key: external.cacheKey,
    cache_durations: external.cacheDurations,
  }
  return withCritical(fields, criticalFields.ExternalAuth)
}

/** Ids of the lists of addresses and users that routes name. */
export function listsNamedBy(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(({ access, limits }) =>
    [access?.allow, access?.deny, access?.basic?.users, access?.digest?.users, limits?.exempt].filter(
      (id) => id !== undefined,
    ),
  )
}

export function addressListFields({ id, ranges }: AddressList): PostedAddressList {
  return { id, ranges }
}

/** With the hashes: it is for the control socket alone. */
export function userListFields({ id, users }: UserList): PostedUserList {
  return { id, users: users.map(({ name, hash }) => ({ name, hash: hash.reveal() })) }
}

function variableFields(variables: RouteVariables): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [snakeCase(name), value]))
}

/** wire/overrides.ts names both sides. */
function overrideFields(overrides: Overrides): PostedOverrides {
  return Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [postedOverrides[name as keyof Overrides], value]),
  )
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

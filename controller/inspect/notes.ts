import type {
  PostedBackendTls,
  PostedCondition,
  PostedCors,
  PostedWaf,
  PostedWeightedBackend,
} from "../output/control/posted.ts"
import { hostPort } from "../support/address.ts"
import { actionNotes } from "./action-notes.ts"
import type { BackendInForce, ClientsInForce, RouteInForce, ShapingInForce } from "./in-force.ts"

// What there is to say about a thing besides its name, in few words each.

/** What a route does besides leading to its backend. @param rulesNote of the rules that look at its requests; absent: their name */
export function routeNotes(route: RouteInForce, rulesNote: RulesNote = nameOfRules): string[] {
  const {
    status,
    redirect,
    https_redirect: https,
    rewrite,
    conditions = [],
    split = [],
    headers = [],
    variables = {},
    overrides = {},
  } = route
  return [
    ...conditions.map(conditionNote),
    ...(split.length === 0 ? [] : [`splits ${split.map(shareNote).join(", ")}`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(redirect === undefined ? [] : [`redirects ${redirect.code} to ${redirect.to}`]),
    ...(https === undefined ? [] : [httpsNote(https)]),
    ...(rewrite === undefined ? [] : [`rewrites to ${rewrite}`]),
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...headers.map(({ name, value }) =>
      value === "" ? `removes header ${name}` : `header ${name}: ${value}`,
    ),
    ...(route.waf === undefined ? [] : [rulesNote(route.waf)]),
    ...backendTlsNotes(route.backend_tls),
    ...actionNotes(route.actions, redirect !== undefined),
    ...Object.entries(overrides).map(([name, value]) => `${name}=${value}`),
  ]
}

export type RulesNote = (waf: PostedWaf) => string

function nameOfRules({ rules }: PostedWaf): string {
  return `rules of ModSecurity ${shortId(rules)}`
}

/** The usual one keeps host, path and arguments (core/translate: redirects). */
function httpsNote({ code, to }: NonNullable<RouteInForce["https_redirect"]>): string {
  return to === "https://$redirect_host$redirect_uri"
    ? `redirects HTTP to HTTPS (${code})`
    : `redirects HTTP to ${to} (${code})`
}

function conditionNote({ of, name = "", match, value }: PostedCondition): string {
  const what = { method: "method", header: `header ${name}`, query: `parameter ${name}`, scheme: "scheme" }[
    of
  ]
  return match === "regex" ? `if ${what} matches ${value}` : `if ${what} is ${value}`
}

/** How a backend is spoken to in TLS, where that is said. */
function backendTlsNotes(tls: PostedBackendTls | undefined): string[] {
  if (tls === undefined) return []
  const { authority, alternative_names: names = [], certificate, version, ciphers } = tls
  const by = authority === undefined ? [] : [`verifies its backend by authority ${shortId(authority)}`]
  const whose = names.length === 0 ? by : by.map((text) => `${text} for ${names.join(" or ")}`)
  return [
    ...whose,
    ...(certificate === undefined ? [] : [`shows its backend certificate ${shortId(certificate)}`]),
    ...(version === undefined ? [] : [`speaks ${version} to it`]),
    ...(ciphers === undefined ? [] : [`with the ciphers ${ciphers}`]),
  ]
}

function shareNote({ weight, backend, status, actions, backend_tls }: PostedWeightedBackend): string {
  const notes = [...backendTlsNotes(backend_tls), ...actionNotes(actions)]
  const own = notes.length === 0 ? "" : ` (${notes.join(", ")})`
  return `${weight} to ${status === undefined ? backend : `${status} for ${backend}`}${own}`
}

/** What clients of a host have to show (docs/client-certificates.md). */
export function clientNotes({
  authority,
  verify,
  match_cn: name,
  error_page: page,
}: ClientsInForce): string[] {
  const signed = `by HTTPS a certificate of authority ${shortId(authority)}`
  const asked = {
    on: `must show ${signed}`,
    optional: `may show ${signed}`,
    optional_no_ca: "may show any certificate",
    required: `must show ${signed}, or have no connection`,
    off: "are asked for no certificate",
  }
  return [
    asked[verify],
    ...(name === undefined ? [] : [`whose name matches ${name}`]),
    ...(page === undefined ? [] : [`without: ${page}`]),
  ]
}

/** What pages of other origins may do. */
export function corsNotes({ origins, allow_methods: methods, credentials, gateway }: PostedCors): string[] {
  const pages = origins.includes("*") ? "every origin" : origins.join(", ")
  const isAny = gateway || origins.includes("*")
  return [
    `pages of ${pages} may send ${methods ?? "GET, HEAD, POST"}${credentials ? ", with credentials" : ""}`,
    `${isAny ? "every preflight is" : "their preflights are"} answered 204`,
  ]
}

/** `namespace/name` of the Ingress; "" for the routes that no Ingress asked for. */
export function ingressOf({ namespace = "", ingress_name: name = "" }: RouteInForce): string {
  return name === "" ? "" : `${namespace}/${name}`
}

/** As an Ingress names it. */
export function algorithmOf({ "load-balance": algorithm, policy }: BackendInForce): string {
  return algorithm === "custom" && policy !== undefined ? `wasm/${policy.name}` : algorithm
}

/** How a backend is balanced beyond its algorithm, and who may take its place. */
export function backendNotes(backend: BackendInForce): string[] {
  const {
    sessionAffinityConfig: sessions,
    upstreamHashByConfig: hash,
    trafficShapingPolicy: shaping,
    policy,
  } = backend
  const canaries = backend.alternativeBackends ?? []
  return [
    ...(policy === undefined ? [] : [`version sha256:${shortId(policy.digest)}`]),
    ...(sessions === undefined ? [] : [`sessions by cookie ${sessions.cookieSessionAffinity?.name ?? ""}`]),
    ...(hash?.["upstream-hash-by"] === undefined ? [] : [`by ${hash["upstream-hash-by"]}`]),
    ...(shaping === undefined ? [] : [`takes ${shareOf(shaping)}`]),
    ...(canaries.length === 0 ? [] : [`canary ${canaries.join(", ")}`]),
  ]
}

/** Which requests an alternative takes. */
export function shareOf({ weight = 0, weightTotal = 100, ...by }: ShapingInForce): string {
  const wanted = by.headerValue || (by.headerPattern && `~ ${by.headerPattern}`) || "always"
  const shares = [
    ...(by.header ? [`header ${by.header}: ${wanted}`] : []),
    ...(by.cookie ? [`cookie ${by.cookie}=always`] : []),
    ...(weight > 0 ? [`${weight} of ${Math.max(weightTotal, 100)}`] : []),
  ]
  return shares.length === 0 ? "nothing" : shares.join(", else ")
}

/** `10.0.0.1:8080`, `[2001:db8::1]:8080`, with the weight where that is not 1. */
export function endpointText({
  address,
  port,
  weight = 1,
  zone,
}: BackendInForce["endpoints"][number]): string {
  const elsewhere = zone === "another" ? " in another zone" : ""
  return `${hostPort(address, port)}${weight === 1 ? "" : ` weight ${weight}`}${elsewhere}`
}

/** Of a hash: enough to tell it from all others. */
export function shortId(id: string): string {
  return id.slice(0, 12)
}

/** A backend in several lines. */
export function backendLines(backend: BackendInForce): string[] {
  const { endpoints } = backend
  const notes = backendNotes(backend).map((note) => `, ${note}`)
  return [
    `${backend.name}  ${algorithmOf(backend)}${notes.join("")}`,
    ...(endpoints.length === 0
      ? ["  no endpoints"]
      : endpoints.map((endpoint) => `  ${endpointText(endpoint)}`)),
  ]
}

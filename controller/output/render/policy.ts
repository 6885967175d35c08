import { join } from "node:path"
import type { TemplateHeader } from "../../model/http/requests.ts"
import type { Fixed } from "../../model/model.ts"
import type { BackendTls, Policy, Protocol } from "../../model/policy.ts"
import { errorHeaders } from "./error-pages.ts"
import { requestHeaders } from "./http/request-headers.ts"
import { mirrorOf } from "./mirrors.ts"

// What the template of a policy prints, word for word. A field that does not concern a policy is null.

const upstream = "upstream_balancer"

interface Pass {
  /** the module that passes requests on: what its directives begin with */
  readonly by: "proxy" | "grpc" | "fastcgi"
  /** with nginx's variables */
  readonly target: string
}

const passes: Readonly<Record<Protocol | "http", Pass>> = {
  http: { by: "proxy", target: `http://${upstream}` },
  https: { by: "proxy", target: `https://${upstream}` },
  auto: { by: "proxy", target: `$scheme://${upstream}` },
  grpc: { by: "grpc", target: `grpc://${upstream}` },
  grpcs: { by: "grpc", target: `grpcs://${upstream}` },
  fastcgi: { by: "fastcgi", target: upstream },
}

/** @param secrets folder of `Fixed.files` */
export function policyFields(policy: Policy, { http }: Fixed, secrets: string): object {
  const { by, target } = passes[policy.protocol ?? "http"]
  return {
    location: `@${policy.name}`,
    by,
    target,
    headers: headersOf(policy, by, requestHeaders(http)),
    httpVersion: policy.proxyHttpVersion ?? null,
    rewrites: rewritesOf(policy),
    mirror: mirrorOf(policy),
    tls: policy.tls ? tlsFields(policy.tls, secrets) : null,
    fastcgi: { ...fastcgiFields(policy), own: ownParams(policy, requestHeaders(http)) },
    errorCodes: http.errors.codes,
    intercepts: by === "proxy" && !http.errors.passesErrors,
  }
}

/** HTTP/2 knows no headers about its connection. */
function headersOf(
  { isFallback }: Policy,
  by: Pass["by"],
  usual: readonly TemplateHeader[],
): readonly TemplateHeader[] {
  const fit = by === "grpc" ? usual.filter(({ name }) => !/^(upgrade|connection)$/i.test(name)) : usual
  return isFallback ? [...fit, ...errorHeaders("503")] : fit
}

function fastcgiFields({ fastcgi }: Policy) {
  return { index: fastcgi?.index ?? null, params: fastcgi?.params ?? [] }
}

/** Our headers as parameters, in the place of what the client says under their names; the connection's are for nobody. */
function ownParams({ fastcgi }: Policy, usual: readonly TemplateHeader[]): readonly TemplateHeader[] {
  const given = new Set(fastcgi?.params.map(({ name }) => name))
  return usual
    .filter(({ name }) => !/^(host|upgrade|connection|proxy)$/i.test(name))
    .map(({ name, value }) => ({ name: `HTTP_${name.toUpperCase().replaceAll("-", "_")}`, value }))
    .filter(({ name }) => !given.has(name))
}

/** A directive that replaces what the route says in a response header. */
interface Rewrite {
  readonly directive: string
  readonly from: string
  readonly to: string
}

function rewritesOf({ cookieDomain, cookiePath, redirect }: Policy): readonly Rewrite[] {
  return [
    ...(cookieDomain ? [rewrite("cookie_domain")] : []),
    ...(cookiePath ? [rewrite("cookie_path")] : []),
    ...(redirect ? [rewrite("redirect")] : []),
  ]
}

function rewrite(what: string): Rewrite {
  return { directive: `proxy_${what}`, from: `$route_${what}_from`, to: `$route_${what}_to` }
}

/** @param secrets folder of `Fixed.files` */
export function tlsFields(tls: BackendTls, secrets: string): object {
  const at = (name: string | undefined) => (name === undefined ? null : join(secrets, name))
  const { ciphers = null, protocols = null } = tls
  return { ...tls, ciphers, protocols, certificate: at(tls.certificate), trusted: at(tls.trusted) }
}

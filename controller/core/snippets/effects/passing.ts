import type { Replacement } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import type { Pass } from "../compiled.ts"
import type { Scope } from "../scope.ts"
import { type Effect, type Outcome, refusal } from "./effect.ts"

// Where a location of a snippet hands requests on: a Service of the Ingress's namespace, by the names that the cluster's DNS has for it.

const ports = { http: "80", https: "443", grpc: "80", grpcs: "443" } as const

function pass(...schemes: readonly Pass["scheme"][]): Effect {
  return ([url = ""], scope, { name }) => {
    if (scope.context !== "location")
      return refusal(`it stands in an ${scope.context}`, 'an Ingress with annotation "canary"')
    if (scope.location === undefined)
      return refusal("the Ingress names the backend of this path", 'an Ingress with annotation "canary"')
    const [, scheme = "", host = "", port, uri] =
      /^(\w+):\/\/([^/:?#$]+)(?::(\w+))?(\/[^$]*)?$/.exec(url) ?? []
    const known = schemes.find((it) => it === (scheme === "" && name === "grpc_pass" ? "grpc" : scheme))
    if (known === undefined) return refusal(`${shown(url)} is no URL of a Service, such as http://NAME:80`)
    const outcome = passTo(scope, known, host.toLowerCase(), port ?? ports[known], uri)
    if (scope.pass && name === "proxy_pass") scope.pass = { ...scope.pass, redirect: usual(url, uri, scope) }
    return outcome
  }
}

function passTo(
  scope: Scope,
  scheme: Pass["scheme"],
  host: string,
  port: string,
  uri: string | undefined,
): Outcome {
  const service = serviceOf(host, scope)
  if (typeof service !== "string") return service
  if (uri !== undefined && !mayHaveUri(scope))
    return refusal(
      '"proxy_pass" cannot have URI part in location given by regular expression, or inside named location',
    )
  scope.passHost = port === ports[scheme] ? host : `${host}:${port}`
  scope.pass = { scheme, service, port, ...(uri !== undefined && { uri }) }
  return "data"
}

/** The backend's own address is that of the location. Source: nginx, ngx_http_proxy_redirect. */
function usual(url: string, uri: string | undefined, { location }: Scope): Replacement {
  if (uri === undefined) return { from: `${url}/`, to: "/" }
  return { from: url, to: (location?.path ?? "/").replaceAll("$", "$$$$") }
}

/** Source: nginx, ngx_http_proxy_pass. */
function mayHaveUri({ location }: Scope): boolean {
  return location !== undefined && ["=", "^~", ""].includes(location.match)
}

/** `svc`, `svc.ns`, `svc.ns.svc`, `svc.ns.svc.cluster.local`. A name alone is looked up by nginx in its own namespace, which is not what is meant. */
function serviceOf(host: string, { session: { options } }: Scope): string | Outcome {
  const inside = host.replace(/\.$/, "").replace(/(?<=\.svc)\.cluster\.local$/, "")
  const [service = "", namespace = options.namespace, svc = "svc", ...more] = inside.split(".")
  const isName = [service, namespace].every((it) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(it))
  if (!isName || svc !== "svc" || more.length > 0)
    return refusal(`${shown(host)} is no Service of the cluster`, "a Service of type ExternalName")
  if (namespace !== options.namespace)
    return refusal(
      `Service ${shown(`${namespace}/${service}`)} is of another namespace`,
      `a Service of namespace ${options.namespace}`,
    )
  return service
}

/** It is off by nature; to switch it on takes certificates, which stand in a Secret. */
const verify: Effect = ([word]) =>
  word === "off"
    ? "data"
    : refusal(
        "it needs the certificates of a Secret",
        'annotations "proxy-ssl-secret" and "proxy-ssl-verify"',
      )

export const passing: Readonly<Record<string, Effect>> = {
  proxy_pass: pass("http", "https"),
  grpc_pass: pass("grpc", "grpcs"),
  proxy_ssl_verify: verify,
}

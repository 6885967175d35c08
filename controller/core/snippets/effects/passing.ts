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
    return passTo(scope, known, host.toLowerCase(), port ?? ports[known], uri)
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

/** `off`, which the location of an Ingress says already, changes nothing; nor does what nginx does by itself. */
const fromTo: Effect = (args, { pass }, { name }) => {
  const [word = ""] = args
  if (args.length === 2) return "typed"
  if (word === "off" || (name === "proxy_redirect" && word === "default" && pass !== undefined)) return "data"
  return refusal(`invalid parameter ${shown(word)}`)
}

/** A name, and what its cookies get. Source: nginx, ngx_http_proxy_cookie_flags. */
const cookieFlags: Effect = (args) => {
  if (args.length > 1) return "typed"
  return args[0] === "off" ? "data" : refusal("it names no flag")
}

export const passing: Readonly<Record<string, Effect>> = {
  proxy_pass: pass("http", "https"),
  grpc_pass: pass("grpc", "grpcs"),
  proxy_ssl_verify: verify,
  proxy_redirect: fromTo,
  proxy_cookie_domain: fromTo,
  proxy_cookie_path: fromTo,
  proxy_cookie_flags: cookieFlags,
}

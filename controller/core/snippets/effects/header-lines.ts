import type { Protocol } from "../scope.ts"
import { append, type Effect, refusal } from "./effect.ts"
import { isReserved } from "./reserved.ts"

// Headers of responses, of requests to the backend, and of the answers of an authentication service. Those of headers-more are in more-headers.ts.

const addHeader: Effect = ([name = "", value = "", always], scope) => {
  append(scope, "responseHeaders", {
    op: "add",
    name,
    value,
    ...(always !== undefined && { always: true }),
  })
  return "data"
}

const authVariable: Effect = ([variable = "", value = ""], scope) => {
  if (isReserved(variable.slice(1)))
    return refusal(`${variable} says what serves the request, and is not changed`)
  append(scope, "authVariables", { name: variable.slice(1), value })
  return "data"
}

function list(key: "hides" | "passes"): Effect {
  return ([name = ""], scope) => {
    append(scope, key, name)
    return "data"
  }
}

/** What the client asks for, of which versions of HTTP are taken away, or another protocol. */
function isUpgrade(value: string): boolean {
  return value === "$http_upgrade" || /^[\w./ ,-]*$/.test(value.replaceAll(/\b(h2c?|http|tls)\b/gi, "$"))
}

/** To backends that are asked by this protocol. */
function sent(protocol: Protocol): Effect {
  return ([name = "", value = ""], scope) => {
    scope.headers[protocol].push({ name, value })
    return "data"
  }
}

/** Without versions of HTTP in what a connection becomes. */
const sentByHttp: Effect = (args, scope, directive) => {
  const [name = "", value = ""] = args
  return /^upgrade$/i.test(name) && !isUpgrade(value)
    ? refusal("HTTP/2 behind an upgrade is past all checks", "proxy_set_header Upgrade $http_upgrade")
    : sent("http")(args, scope, directive)
}

export const headers: Readonly<Record<string, Effect>> = {
  add_header: addHeader,
  auth_request_set: authVariable,
  proxy_set_header: sentByHttp,
  grpc_set_header: sent("grpc"),
  fastcgi_param: sent("fastcgi"),
  ...Object.fromEntries(
    ["proxy", "grpc", "fastcgi"].flatMap((it) => [
      [`${it}_hide_header`, list("hides")],
      [`${it}_pass_header`, list("passes")],
    ]),
  ),
}

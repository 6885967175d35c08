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

/** To backends that are asked by this protocol. */
function sent(protocol: Protocol): Effect {
  return ([name = "", value = ""], scope) => {
    scope.headers[protocol].push({ name, value })
    return "data"
  }
}

export const headers: Readonly<Record<string, Effect>> = {
  add_header: addHeader,
  auth_request_set: authVariable,
  proxy_set_header: sent("http"),
  grpc_set_header: sent("grpc"),
  fastcgi_param: sent("fastcgi"),
  ...Object.fromEntries(
    ["proxy", "grpc", "fastcgi"].flatMap((it) => [
      [`${it}_hide_header`, list("hides")],
      [`${it}_pass_header`, list("passes")],
    ]),
  ),
}

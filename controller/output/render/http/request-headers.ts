import type { TemplateHeader } from "../../../model/http/requests.ts"
import type { Http } from "../../../model/http.ts"
import { errorHeaders } from "../error-pages.ts"
import { forwardedForOf, forwardingMaps } from "./forwarding.ts"
import { withoutIdleMaps } from "./maps.ts"

/** The headers that each request to a backend gets from us. An empty value: the backend does not get that header at all. */
export function requestHeaders(http: Http): readonly TemplateHeader[] {
  const { forwarding, headers } = http
  const maps = forwardingMaps(http)
  const standard = Object.entries({
    Host: "$route_upstream_vhost",
    Upgrade: "$http_upgrade",
    Connection: "$route_connection",
    "X-Request-ID": "$req_id",
    "X-Real-IP": "$remote_addr",
    "X-Forwarded-For": forwardedForOf(http),
    "X-Forwarded-Host": "$best_http_host",
    "X-Forwarded-Prefix": "$route_forwarded_prefix",
    "X-Forwarded-Port": "$pass_port",
    "X-Forwarded-Proto": "$pass_access_scheme",
    "X-Forwarded-Scheme": "$pass_access_scheme",
    "X-Scheme": "$pass_access_scheme",
    ...(forwarding.addsOriginalUri && { "X-Original-URI": "$request_uri" }),
    // A backend that reads it as its own proxy setting could be sent anywhere ("httpoxy").
    Proxy: "",
  }).map(([name, value]) => ({ name, value: withoutIdleMaps(value, maps) }))
  // nginx would send both.
  const replaced = new Set(headers.setForBackends.map(({ name }) => name.toLowerCase()))
  return [...standard.filter(({ name }) => !replaced.has(name.toLowerCase())), ...headers.setForBackends]
}

/** Those of what a request is about, not of its connection or message: what copies of it say as well. */
export function headersAboutClients(http: Http): readonly TemplateHeader[] {
  return requestHeaders(http).filter(({ name }) => /^x-/i.test(name))
}

/** Names of all headers that we set in some request, and of those that tell backends about traces: clients have them in no other spelling. */
export function ownHeaders(http: Http): readonly string[] {
  const names = requestHeaders(http).map(({ name }) => name)
  return [...new Set([...names, ...errorHeaders("503").map(({ name }) => name), ...traceHeaders])]
}

const traceHeaders = ["X-B3-TraceId", "X-B3-SpanId", "X-B3-ParentSpanId", "X-B3-Sampled", "X-B3-Flags"]

import type { TemplateHeader } from "../../../model/http/headers.ts"
import type { Http } from "../../../model/http.ts"
import { forwardedForOf, forwardingMaps, headerVariable } from "./forwarding.ts"
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
    "X-Original-Forwarded-For": headerVariable(forwarding.forwardedForHeader),
    "X-Original-Forwarded-Host": headerVariable(forwarding.forwardedHostHeader),
    // A backend that reads it as its own proxy setting could be sent anywhere ("httpoxy").
    Proxy: "",
  }).map(([name, value]) => ({ name, value: withoutIdleMaps(value, maps) }))
  // nginx would send both.
  const replaced = new Set(headers.setForBackends.map(({ name }) => name.toLowerCase()))
  return [...standard.filter(({ name }) => !replaced.has(name.toLowerCase())), ...headers.setForBackends]
}

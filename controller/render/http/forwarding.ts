import type { Http } from "../../model/http.ts"
import { type VariableMap, variableMap } from "./maps.ts"

// Who the client is, how it came, and what it asked for: as nginx sees it, or as a proxy in front of nginx says.

type Whence = Pick<Http, "forwarding" | "listening" | "ports">

/** Where the client's address is taken from; absent: it is the peer's. */
export interface RealIp {
  /** of `real_ip_header` */
  readonly header: string
  readonly from: readonly string[]
}

export function realIpOf({ forwarding, listening }: Whence): RealIp | null {
  const { usesForwardedHeaders, usesRealIp, trustedProxies: from } = forwarding
  if (listening.expectsProxyProtocol) {
    const header = usesForwardedHeaders ? forwarding.forwardedForProxyProtocolHeader : "proxy_protocol"
    return { header, from }
  }
  return usesForwardedHeaders || usesRealIp ? { header: forwarding.forwardedForHeader, from } : null
}

/** The variables that policies and log formats know these things by; template.md of the reference has the same names. */
export function forwardingMaps(http: Whence): readonly VariableMap[] {
  return [
    ...schemeMaps(http),
    ...portMaps(http),
    hostMap(http),
    requestIdMap(http),
    ...fullForwardedFor(http),
  ]
}

/** `$pass_access_scheme`. A balancer that speaks PROXY protocol and ends TLS is known by the port that it was asked on. */
function schemeMaps({ forwarding, listening }: Whence): readonly VariableMap[] {
  const told = variableMap("$http_x_forwarded_proto", "$forwarded_scheme", "$http_x_forwarded_proto", {
    "": "$scheme",
  })
  const scheme = forwarding.usesForwardedHeaders ? "$forwarded_scheme" : "$scheme"
  const passed = listening.expectsProxyProtocol
    ? variableMap("$proxy_protocol_server_port", "$pass_access_scheme", scheme, { "443": "https" })
    : variableMap("$scheme", "$pass_access_scheme", scheme)
  return forwarding.usesForwardedHeaders ? [told, passed] : [passed]
}

/** `$pass_server_port` is the port that was asked; `$pass_port` says 443 for ours for HTTPS, whatever its number. */
function portMaps({ forwarding, listening, ports }: Whence): readonly VariableMap[] {
  const own = listening.expectsProxyProtocol ? "$proxy_protocol_server_port" : "$server_port"
  const asked = forwarding.usesForwardedHeaders
    ? variableMap("$http_x_forwarded_port", "$pass_server_port", "$http_x_forwarded_port", { "": own })
    : variableMap(own, "$pass_server_port", own)
  return [
    asked,
    variableMap("$pass_server_port", "$pass_port", "$pass_server_port", { [ports.httpsPort]: "443" }),
  ]
}

/** `$best_http_host`, with the port that the client named. */
function hostMap({ forwarding }: Whence): VariableMap {
  if (!forwarding.usesForwardedHeaders)
    return variableMap("$http_host", "$best_http_host", "$http_host", { "": "$host" })
  return variableMap("$http_x_forwarded_host", "$best_http_host", "$http_x_forwarded_host", {
    "": "$http_host",
  })
}

function requestIdMap({ forwarding }: Whence): VariableMap {
  const own = forwarding.generatesRequestId ? "$request_id" : ""
  return variableMap("$http_x_request_id", "$req_id", "$http_x_request_id", { "": own })
}

function fullForwardedFor(http: Whence): readonly VariableMap[] {
  if (!isFull(http)) return []
  const peer = http.listening.expectsProxyProtocol ? "$proxy_protocol_addr" : "$realip_remote_addr"
  const chain = `$http_x_forwarded_for, ${peer}`
  return [variableMap("$http_x_forwarded_for", "$full_x_forwarded_for", chain, { "": peer })]
}

/** What backends are told in X-Forwarded-For. */
export function forwardedForOf(http: Whence): string {
  return isFull(http) ? "$full_x_forwarded_for" : "$remote_addr"
}

function isFull({ forwarding }: Whence): boolean {
  return forwarding.usesForwardedHeaders && forwarding.computesFullForwardedFor
}

/** Name of nginx's variable with this header of a request. */
export function headerVariable(name: string): string {
  return `$http_${name.toLowerCase().replaceAll("-", "_")}`
}

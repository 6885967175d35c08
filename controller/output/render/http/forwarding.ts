import { type TemplateHeader, trustsEverybody } from "../../../model/http/requests.ts"
import type { Http } from "../../../model/http.ts"
import { type VariableMap, variableMap } from "./maps.ts"
import { eachOnce, geoNetworks } from "./networks.ts"

// Who the client is, how it came, and what it asked for: as nginx sees it, or as a proxy in front of nginx says.

type Whence = Pick<Http, "forwarding" | "listening" | "ports">

/** Where the client's address is taken from; absent: it is the peer's. */
export interface RealIp {
  /** of `real_ip_header` */
  readonly header: string
  readonly from: readonly string[]
  /** `from`, as a `geo` takes it */
  readonly inGeo: readonly string[]
  /** what the header is set to first: the client's address as the one told it who may */
  readonly chosen: TemplateHeader | null
}

export function realIpOf({ forwarding, listening }: Whence): RealIp | null {
  const { usesForwardedHeaders, usesRealIp } = forwarding
  const trusted = forwarding.trustedProxies
  const networks = { from: eachOnce(trusted), inGeo: geoNetworks(trusted) }
  if (usesForwardedHeaders && listening.expectsProxyProtocol) {
    // realip looks at one header only, and knows the sender of that by the address of the peer.
    const header = forwarding.forwardedForProxyProtocolHeader
    return { header, ...networks, chosen: { name: header, value: "$forwarded_for_proxy_protocol" } }
  }
  if (listening.expectsProxyProtocol) return { header: "proxy_protocol", ...networks, chosen: null }
  const believes = usesForwardedHeaders || usesRealIp
  return believes ? { header: forwarding.forwardedForHeader, ...networks, chosen: null } : null
}

/** Headers of requests under the names under which backends get them as they came, whatever is believed. */
export function copiedHeaders({
  forwarding,
}: Whence): readonly { readonly from: string; readonly to: string }[] {
  return [
    { from: forwarding.forwardedForHeader, to: "X-Original-Forwarded-For" },
    { from: forwarding.forwardedHostHeader, to: "X-Original-Forwarded-Host" },
  ]
}

/** Words of `ingress_trusted_proxies`: whose X-Forwarded-… headers are believed; none: nobody's. */
export function trustedProxies({ forwarding }: Whence): readonly string[] {
  if (!forwarding.usesForwardedHeaders) return []
  if (trustsEverybody(forwarding)) return ["all"]
  return forwarding.trustedProxies.length === 0 ? ["none"] : forwarding.trustedProxies
}

/** The variables that locations and log formats know these things by; template.md of the reference has the same names. */
export function forwardingMaps(http: Whence): readonly VariableMap[] {
  return [
    ...schemeMaps(http),
    ...portMaps(http),
    ...hostMaps(http),
    requestIdMap(http),
    ...fullForwardedFor(http),
    ...chosenAddress(http),
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
function portMaps(http: Whence): readonly VariableMap[] {
  const ours = { [http.ports.httpsPort]: "443" }
  return [
    ...askedPort(http),
    variableMap("$pass_server_port", "$pass_port", "$pass_server_port", ours),
    redirectPort(http),
  ]
}

/** A proxy that ended TLS and names no port was asked on that of the scheme, not on the one that it asks us on. */
function askedPort({ forwarding, listening, ports }: Whence): readonly VariableMap[] {
  const { clientPorts } = ports
  if (listening.expectsProxyProtocol || clientPorts === undefined)
    return portMap(listening.expectsProxyProtocol ? "$proxy_protocol_server_port" : "$server_port", {
      forwarding,
      listening,
    })
  const known = Object.entries(clientPorts).map(([port, other]) => [port, String(other)])
  return [
    variableMap("$server_port", "$asked_port", "$server_port", Object.fromEntries(known)),
    ...portMap("$asked_port", { forwarding, listening }),
  ]
}

/** @param own the port that we were asked on, as clients know it */
function portMap(
  own: string,
  { forwarding, listening }: Pick<Whence, "forwarding" | "listening">,
): readonly VariableMap[] {
  if (!forwarding.usesForwardedHeaders) return [variableMap(own, "$pass_server_port", own)]
  const [told, scheme] = ["$http_x_forwarded_port", "$http_x_forwarded_proto"]
  return [
    listening.expectsProxyProtocol
      ? variableMap(`${scheme}:${own}`, "$scheme_port", own, { "https:80": "443", "http:443": "80" })
      : variableMap(`${scheme}:$scheme`, "$scheme_port", own, { "https:http": "443", "http:https": "80" }),
    variableMap(told, "$pass_server_port", told, { "": "$scheme_port" }),
  ]
}

/** `$redirect_port`: `$pass_server_port`, unless that is a port of the other scheme. */
function redirectPort({ ports }: Whence): VariableMap {
  return variableMap("$pass_access_scheme:$pass_server_port", "$redirect_port", "$pass_server_port", {
    "https:80": "443",
    "http:443": "80",
    [`https:${ports.httpPort}`]: "443",
    [`http:${ports.httpsPort}`]: "80",
  })
}

/** `$best_http_host`, with the port that the client named. */
function hostMaps({ forwarding }: Whence): readonly VariableMap[] {
  const asked = (name: string) => variableMap("$http_host", name, "$http_host", { "": "$host" })
  if (!forwarding.usesForwardedHeaders) return [asked("$best_http_host")]
  const told = "$ingress_forwarded_host"
  return [asked("$asked_host"), variableMap(told, "$best_http_host", told, { "": "$asked_host" })]
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

/** `$forwarded_for_proxy_protocol`: what a proxy said that PROXY protocol names and that is believed, else what PROXY protocol says. */
function chosenAddress({ forwarding, listening }: Whence): readonly VariableMap[] {
  if (!forwarding.usesForwardedHeaders || !listening.expectsProxyProtocol) return []
  const header = headerVariable(forwarding.forwardedForHeader)
  return [
    variableMap(header, "$told_by_proxy", header, { "": "$proxy_protocol_addr" }),
    variableMap("$proxy_protocol_addr_trusted", "$forwarded_for_proxy_protocol", "$proxy_protocol_addr", {
      "1": "$told_by_proxy",
    }),
  ]
}

/** What backends are told in X-Forwarded-For. */
export function forwardedForOf(http: Whence): string {
  return isFull(http) ? "$full_x_forwarded_for" : "$remote_addr"
}

function isFull({ forwarding }: Whence): boolean {
  return forwarding.usesForwardedHeaders && forwarding.computesFullForwardedFor
}

/** Name of nginx's variable with this header of a request. */
function headerVariable(name: string): string {
  return `$http_${name.toLowerCase().replaceAll("-", "_")}`
}

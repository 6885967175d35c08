import { isIPv6 } from "node:net"
import type { Http } from "../../../model/http.ts"
import type { WebPort } from "../../../model/listener.ts"
import type { Fixed } from "../../../model/model.ts"
import type { StreamPort } from "../../../model/stream-listener.ts"
import { inBrackets } from "../../../support/address.ts"
import type { Site } from "../site.ts"

/** A `listen` of nginx. */
export interface ListenFields {
  readonly address: string
  readonly parameters: readonly string[]
}

export interface Listeners {
  readonly http: readonly ListenFields[]
  readonly https: readonly ListenFields[]
  /** of HTTP/3 */
  readonly quic: readonly ListenFields[]
  /** of listeners with hosts of their own, beside these */
  readonly more: readonly ListenFields[]
  /** parameters of `ingress_route`: which ports are those of hosts of all listeners; none: nobody has hosts of their own */
  readonly shared: readonly string[]
  /** parameters of `ingress_certificates` */
  readonly handshakes: readonly string[]
  /** of further server blocks at both: what the first one says of an address holds for all, but how it is spoken to has to stand there again */
  readonly others: readonly ListenFields[]
  /** HTTP/2 is switched on by a directive of its own, with and without TLS */
  readonly hasHttp2Directive: boolean
  /** it is spoken without TLS, too, for which nginx itself has nothing */
  readonly speaksPlainHttp2: boolean
  /** of the server that answers 404 to everything */
  readonly fallback: readonly ListenFields[]
}

export type ServingPorts = Pick<Fixed, "http" | "listeners" | "streams">

export function listenersOf({ http, listeners = [], streams = [] }: ServingPorts, site: Site): Listeners {
  const { httpPort, httpsPort, defaultServerPort } = http.ports
  const { usesHttp2 } = http.listening
  const plain = listens({ scheme: "http", port: httpPort }, http, site)
  const tls = listens({ scheme: "https", port: httpsPort }, http, site)
  const own = new Set([httpPort, httpsPort])
  const more = listeners.filter(({ port }) => !own.has(port))
  const quic = quicPorts({ http, listeners, streams })
  const first = (listeners: readonly ListenFields[]) => listeners.map((it) => asFirst(it, http, site))
  return {
    http: first(plain),
    https: first(tls),
    quic: quic.flatMap((port) => on(addressesOf(http, site), port, ["quic", "default_server", "reuseport"])),
    more: first(more.flatMap((port) => listens(port, http, site))),
    shared: listeners.length > 0 ? [`ports=${[...own].join(",")}`] : [],
    handshakes: [
      ...(http.tls.rejectsUnknown ? ["reject_unknown"] : []),
      ...(listeners.length > 0 ? ["listeners"] : []),
    ],
    others: [
      ...plain,
      ...tls,
      ...quic.filter((port) => own.has(port)).flatMap((port) => on(addressesOf(http, site), port, ["quic"])),
    ],
    hasHttp2Directive: usesHttp2 && site.hasHttp2Directive,
    speaksPlainHttp2: usesHttp2 && !site.hasHttp2Directive && listeners.length > 0,
    fallback: first(on(everywhere(http, site), defaultServerPort, [])),
  }
}

function listens({ scheme, port }: WebPort, http: Http, site: Site): readonly ListenFields[] {
  const proxied = http.listening.expectsProxyProtocol ? ["proxy_protocol"] : []
  const tls = scheme === "https" ? ["ssl", ...http2Of(http, site)] : []
  return on(addressesOf(http, site), port, [...tls, ...proxied])
}

/** Of a port of TCP or UDP: each client's datagrams come to one worker. */
export function streamListens(
  { protocol, port }: StreamPort,
  http: Http,
  site: Site,
): readonly ListenFields[] {
  const parameters = protocol === "udp" ? ["udp", "reuseport"] : socketParameters(http, site)
  return on(addressesOf(http, site), port, parameters)
}

/** Ports of HTTP/3: that of HTTPS, and those of listeners that ask for it. Where a UDP service is, its datagrams are nobody else's. */
export function quicPorts({ http, listeners = [], streams = [] }: ServingPorts): readonly number[] {
  if (!http.listening.usesHttp3) return []
  const asking = listeners.flatMap(({ hasHttp3, port }) => (hasHttp3 ? [port] : []))
  const taken = new Set(streams.flatMap(({ protocol, port }) => (protocol === "udp" ? [port] : [])))
  return [...new Set([http.ports.httpsPort, ...asking])].filter((port) => !taken.has(port))
}

function on(
  addresses: readonly string[],
  port: number,
  parameters: readonly string[],
): readonly ListenFields[] {
  return addresses.map((address) => ({ address: `${address}${port}`, parameters }))
}

/** With what is said of an address once. */
function asFirst({ address, parameters }: ListenFields, http: Http, site: Site): ListenFields {
  return { address, parameters: ["default_server", ...parameters, ...socketParameters(http, site)] }
}

/** nginx before 1.25.1 knows no directive for HTTP/2, and speaks it on a port without TLS only to clients that begin with it. */
function http2Of({ listening }: Http, { hasHttp2Directive }: Site): readonly string[] {
  return listening.usesHttp2 && !hasHttp2Directive ? ["http2"] : []
}

function socketParameters({ listening }: Http, { backlog }: Site): readonly string[] {
  return [...(listening.reusesPort ? ["reuseport"] : []), `backlog=${backlog}`]
}

/** What stands in front of the port, for each address. */
function addressesOf(http: Http, site: Site): readonly string[] {
  const addresses = boundAddresses(http, site)
  return addresses.length === 0
    ? everywhere(http, site)
    : addresses.map((address) => `${inBrackets(address)}:`)
}

/** The addresses that listeners have, without brackets. */
export function listenAddresses(http: Http, site: Pick<Site, "hasIpv6">): readonly string[] {
  const addresses = boundAddresses(http, site)
  return addresses.length === 0 ? ["0.0.0.0", ...(hasIpv6(http, site) ? ["::"] : [])] : addresses
}

/** None stands for all. */
function boundAddresses(http: Http, site: Pick<Site, "hasIpv6">): readonly string[] {
  const usable = http.listening.bindAddresses.filter((address) => !isIPv6(address) || hasIpv6(http, site))
  return [...new Set(usable)]
}

function everywhere(http: Http, site: Site): readonly string[] {
  return ["", ...(hasIpv6(http, site) ? ["[::]:"] : [])]
}

function hasIpv6({ listening }: Http, site: Pick<Site, "hasIpv6">): boolean {
  return site.hasIpv6 && !listening.disablesIpv6
}

/** What is believed of what proxies in front of nginx say about their clients, and what backends are told. */
export interface Forwarding {
  /** X-Forwarded-For, -Proto, -Port and -Host of requests are believed */
  readonly usesForwardedHeaders: boolean
  /** only the address of the client is */
  readonly usesRealIp: boolean
  /** names of headers */
  readonly forwardedForHeader: string
  /** internal: says the client's address when both forwarded headers and PROXY protocol are believed */
  readonly forwardedForProxyProtocolHeader: string
  readonly forwardedHostHeader: string
  /** addresses and networks of proxies that are believed */
  readonly trustedProxies: readonly string[]
  /** X-Forwarded-For goes on as it came, with the peer's address appended */
  readonly computesFullForwardedFor: boolean
  readonly generatesRequestId: boolean
  readonly addsOriginalUri: boolean
}

/**
 * Whether everybody is believed: so it is by default. As nginx has it, the one network of IPv4 says nothing of IPv6, and an address told by a client with
 * IPv6 is not believed; the other headers always were.
 */
export function trustsEverybody({ trustedProxies }: Pick<Forwarding, "trustedProxies">): boolean {
  return trustedProxies.includes("0.0.0.0/0") && trustedProxies.every((it) => /^(0\.0\.0\.0|::)\/0$/.test(it))
}

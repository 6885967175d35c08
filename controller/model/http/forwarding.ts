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
  /** addresses and networks of proxies that are believed about the address */
  readonly trustedProxies: readonly string[]
  /** X-Forwarded-For goes on as it came, with the peer's address appended */
  readonly computesFullForwardedFor: boolean
  readonly generatesRequestId: boolean
  readonly addsOriginalUri: boolean
}

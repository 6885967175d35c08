/** What clients may do, and for how long. Sizes are bytes. */
export interface Clients {
  /** idle time; 0 closes after each response */
  readonly keepAliveSeconds: number
  readonly keepAliveRequests: number
  readonly clientHeaderBufferBytes: number
  readonly clientHeaderTimeoutSeconds: number
  /** a line of a request's head that is longer than `bytes` is refused */
  readonly largeClientHeaderBuffers: { readonly number: number; readonly bytes: number }
  readonly clientBodyBufferBytes: number
  readonly clientBodyTimeoutSeconds: number
  /** where a route has none of its own; 0 is no limit */
  readonly clientMaxBodyBytes: number
  readonly allowsUnderscores: boolean
  /** request headers with other odd names are dropped */
  readonly ignoresInvalidHeaders: boolean
  readonly http2MaxConcurrentStreams: number
  readonly limitReqStatus: number
  readonly limitConnStatus: number
  /** addresses of IPv6 that agree in so many first bits are one client */
  readonly ipv6PrefixBits: number
  /** how often a request may be passed on; 0 is no limit */
  readonly maxPasses: number
  /** of a response that is buffered, per second; 0 is no limit */
  readonly limitRateBytes: number
  /** what of a response is sent before that */
  readonly limitRateAfterBytes: number
  /** redirects of nginx itself have no host */
  readonly relativeRedirects: boolean
  /** of responses that do not say */
  readonly defaultType: string
}

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

/** Clients that are refused whatever the route. */
export interface Filters {
  /** addresses and networks that get 403 */
  readonly blockedAddresses: readonly string[]
  /** User-Agent headers that get 403 */
  readonly blockedUserAgents: readonly MapKey[]
  /** Referer headers that get 403 */
  readonly blockedReferers: readonly MapKey[]
  /** addresses and networks that may see /nginx_status on the traffic ports */
  readonly statusReaders: readonly string[]
}

/** What a value is compared with: a whole text without regard to case, or a regular expression without named groups. */
export type MapKey =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "regex"; readonly pattern: string; readonly ignoresCase: boolean }

/** Headers of all requests and responses. */
export interface Headers {
  /** the Server header names nginx and its version; otherwise there is none */
  readonly showsServer: boolean
  /** the backend's Server header goes through */
  readonly passesServer: boolean
  /** headers of backends' responses that clients do not get */
  readonly hidden: readonly string[]
  /** of every response, in the place of all of its name */
  readonly added: readonly TemplateHeader[]
  /** of every request to a backend */
  readonly setForBackends: readonly TemplateHeader[]
}

/** The value may have nginx's variables. */
export interface TemplateHeader {
  readonly name: string
  readonly value: string
}

/** Error pages where a location does not say. */
export interface Errors {
  /** codes of answers that give way to error pages: 300 to 599, in order */
  readonly codes: readonly number[]
  /** only nginx's own errors give way, those of backends pass */
  readonly passesErrors: boolean
}

/** Compression of responses. */
export interface Compression {
  readonly usesGzip: boolean
  /** 1 to 9 */
  readonly gzipLevel: number
  readonly gzipMinBytes: number
  /** media types beside text/html */
  readonly gzipTypes: readonly string[]
  /** regular expression over the User-Agent of clients that get none, or `msie6`; "" is nobody */
  readonly gzipDisable: string
  readonly usesBrotli: boolean
  /** 0 to 11 */
  readonly brotliLevel: number
  readonly brotliMinBytes: number
  readonly brotliTypes: readonly string[]
  readonly usesZstd: boolean
  /** 1 to 19 */
  readonly zstdLevel: number
  readonly zstdMinBytes: number
  readonly zstdTypes: readonly string[]
}

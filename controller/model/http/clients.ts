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

/** Requests to endpoints, where a route has no numbers of its own. */
export interface Proxying {
  readonly proxyConnectTimeoutSeconds: number
  readonly proxySendTimeoutSeconds: number
  readonly proxyReadTimeoutSeconds: number
  /** words of the directive, `non_idempotent` not among them */
  readonly proxyNextUpstream: string
  readonly retriesNonIdempotent: boolean
  /** 0 is no limit */
  readonly proxyNextUpstreamTimeoutSeconds: number
  /** 0 is no limit */
  readonly proxyNextUpstreamTries: number
  readonly proxyBuffersResponses: boolean
  readonly proxyBuffersRequests: boolean
  readonly proxyBufferBytes: number
  /** at least 2 */
  readonly proxyBuffersNumber: number
  /** 0: as much as fits, twice `proxyBufferBytes` at most */
  readonly proxyBusyBuffersBytes: number
  /** 0: no temporary files */
  readonly proxyMaxTempFileBytes: number
  /** of what does not fit into memory */
  readonly writesAsynchronously: boolean
  /** 0: nginx's own */
  readonly grpcBufferBytes: number
}

/** Idle connections to endpoints. */
export interface Upstream {
  /** per worker; 0 keeps none */
  readonly upstreamKeepaliveConnections: number
  readonly upstreamKeepaliveTimeMs: number
  readonly upstreamKeepaliveTimeoutSeconds: number
  readonly upstreamKeepaliveRequests: number
}

/** Connections that go to backends as they are. */
export interface Streams {
  /** of the format `log_stream`, with variables of nginx's stream module; line breaks and tabs may occur */
  readonly logFormatStream: string
  /** takes the place of `Logs.accessLogPath` unless empty */
  readonly streamAccessLogPath: string
  readonly disablesStreamAccessLog: boolean
  /** longest time in which neither side sends anything */
  readonly proxyStreamTimeoutMs: number
  /** longest wait for the PROXY protocol header in front of TLS that may be passed through */
  readonly proxyProtocolHeaderTimeoutMs: number
}

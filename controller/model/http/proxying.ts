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

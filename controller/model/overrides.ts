// Printed by `npm run wire` from wire/: change it there.

/** Numbers and switches in force instead of the location's; absent ones are inherited. */
export interface Overrides {
  readonly proxyConnectTimeoutMs?: number
  readonly proxySendTimeoutMs?: number
  readonly proxyReadTimeoutMs?: number
  /** 0: no limit */
  readonly clientMaxBodyBytes?: number
  readonly proxyNextUpstream?: string
  /** 0: no limit but the upstream's `max_tries` */
  readonly proxyNextUpstreamTries?: number
  /** 0: no limit */
  readonly proxyNextUpstreamTimeoutMs?: number
  /** of all buffers */
  readonly proxyBufferBytes?: number
  readonly proxyBuffersNumber?: number
  readonly proxyBusyBuffersBytes?: number
  readonly proxyBuffering?: boolean
  readonly proxyRequestBuffering?: boolean
  /** 0: no file */
  readonly proxyMaxTempFileBytes?: number
  readonly clientBodyBufferBytes?: number
  readonly absoluteRedirect?: boolean
  readonly portInRedirect?: boolean
  /** of a response, per second; 0: no limit */
  readonly limitRateBytes?: number
  /** of a response, before `limit_rate` applies */
  readonly limitRateAfterBytes?: number
  readonly clientBodyTimeoutMs?: number
  /** to the client */
  readonly sendTimeoutMs?: number
  /** errors that have a page: a bit for each of the codes 400 to 449, the lowest for 400; where one of these four is there, errors of all other codes have no page */
  readonly errorPages400?: number
  /** errors that have a page: a bit for each of the codes 450 to 499, the lowest for 450 */
  readonly errorPages450?: number
  /** errors that have a page: a bit for each of the codes 500 to 549, the lowest for 500 */
  readonly errorPages500?: number
  /** errors that have a page: a bit for each of the codes 550 to 599, the lowest for 550 */
  readonly errorPages550?: number
  /** whether errors of the backend have a page, too */
  readonly proxyInterceptErrors?: boolean
  /** of a request that LIMITS refuse for its rate; absent: that of all routes */
  readonly limitReqStatus?: number
  /** of a request beside which the client has as many as LIMITS let it have; absent: that of all routes */
  readonly limitConnStatus?: number
}

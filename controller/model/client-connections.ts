/** What a data plane counts of connections and requests of clients. Source: ngx_http_stub_status_module. */
export interface ClientConnections {
  /** now: all of them, and those that read a request, write a response, or wait for the next request */
  readonly active: number
  readonly reading: number
  readonly writing: number
  readonly waiting: number
  /** since it was started */
  readonly accepted: number
  readonly handled: number
  readonly requests: number
}

/** What was counted of attempts of requests with an endpoint, over all workers, since the endpoint came or nginx was started. */
export interface EndpointCounts {
  readonly backend: string
  /** address and port, as `10.0.0.1:8080` or `[2001:db8::1]:8080` */
  readonly endpoint: string
  /** retries included */
  readonly attempts: number
  /** of them those that failed, by cause: `connect`, `connect_timeout`, `error`, `timeout`, `status`; what did not happen is absent */
  readonly failures: Readonly<Record<string, number>>
  /** of them those whose response began, and the time until it did, together */
  readonly responses: number
  readonly responseSeconds: number
}

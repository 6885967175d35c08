/** The ConfigMap's keys after parsing, with their defaults in place. One field per key that has an effect; units are in the names. */
export interface Settings {
  /** worker-processes, default "auto" */
  readonly workerProcesses: number | "auto"
  /** proxy-body-size, default 1m */
  readonly proxyBodyBytes: number
  /** keep-alive, default 75 */
  readonly keepAliveSeconds: number
  /** log-format-upstream */
  readonly logFormatUpstream: string
  /** upstream-keepalive-connections, default 320 */
  readonly upstreamKeepaliveConnections: number
}

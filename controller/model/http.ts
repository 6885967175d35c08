/** Settings of the http level and the process: what nginx takes from configuration text only. Units are in the names. */
export interface Http {
  /** `worker_processes`; "auto" counts the cores */
  readonly workerProcesses: number | "auto"
  /** `keepalive_timeout` towards clients; 0 closes after each response */
  readonly keepAliveSeconds: number
  /** `client_max_body_size` where a route has none of its own; 0 is no limit */
  readonly clientMaxBodyBytes: number
  /** `log_format upstreaminfo`, the text of the ConfigMap with its variables */
  readonly logFormatUpstream: string
  /** idle connections kept to endpoints per worker; 0 keeps none */
  readonly upstreamKeepaliveConnections: number
  readonly listen: Listen
}

/** Ports of the listeners, from the flags. */
export interface Listen {
  readonly httpPort: number
  readonly statusPort: number
}

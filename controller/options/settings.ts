import type { LoadBalance } from "../model/backend.ts"

/** The ConfigMap's keys after parsing, with their defaults in place. One field per key that has an effect (key-table.ts); units are in the names. */
export interface Settings {
  /** worker-processes, default "auto" */
  readonly workerProcesses: number | "auto"
  /** proxy-body-size, default 1m; 0 is no limit */
  readonly proxyBodyBytes: number
  /** keep-alive, default 75; 0 closes after each response */
  readonly keepAliveSeconds: number
  /** log-format-upstream: printable text with nginx's variables; line breaks and tabs may occur */
  readonly logFormatUpstream: string
  /** upstream-keepalive-connections per worker, default 320; 0 keeps none */
  readonly upstreamKeepaliveConnections: number
  /** load-balance, default round_robin: of backends whose Ingress says nothing */
  readonly loadBalance: LoadBalance
  /** service-upstream, default false: the same */
  readonly serviceUpstream: boolean
  /** disable-ipv6-dns, default false: names of ExternalName Services have IPv4 addresses only */
  readonly disableIpv6Dns: boolean
}

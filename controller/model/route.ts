/** All routes of one host; one record in the zone, replaced as a whole. */
export interface Host {
  /** server block it belongs to; "main" is the shared one */
  readonly server: string
  /** lower-case: exact name, `*.rest`, or `_` for every other host */
  readonly host: string
  readonly routes: readonly Route[]
}

/** One path of a host and what serves it. Field meanings and ranges: docs/wire.md, ROUTE. */
export interface Route {
  readonly path: string
  readonly match: "exact" | "prefix"
  /** `Policy.name` */
  readonly policy: string
  /** `Backend.name` */
  readonly backend: string
  readonly namespace: string
  readonly ingressName: string
  readonly serviceName: string
  readonly servicePort: string
  readonly locationPath: string
  /** answered at once, nothing is proxied */
  readonly status?: number
  readonly overrides: Overrides
}

/** Numbers in force instead of the policy's; absent ones are inherited. */
export interface Overrides {
  readonly proxyConnectTimeoutMs?: number
  readonly proxySendTimeoutMs?: number
  readonly proxyReadTimeoutMs?: number
  /** 0 is no limit */
  readonly clientMaxBodyBytes?: number
}

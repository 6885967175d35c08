/** Ports, from the flags. */
export interface Ports {
  readonly httpPort: number
  readonly httpsPort: number
  readonly statusPort: number
  readonly defaultServerPort: number
}

/** How nginx listens on its ports. */
export interface Listening {
  /** IPv4 and IPv6 addresses; none stands for all */
  readonly bindAddresses: readonly string[]
  readonly disablesIpv6: boolean
  /** a listening socket for each worker */
  readonly reusesPort: boolean
  /** every connection begins with a PROXY protocol header */
  readonly expectsProxyProtocol: boolean
  readonly usesHttp2: boolean
}

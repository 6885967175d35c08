/** How nginx itself looks names up, for what has no Service. */
export interface Resolving {
  readonly disableIpv6Dns: boolean
}

/** What browsers are told to remember of a host: that it is for HTTPS only. Source: RFC 6797. */
export interface Hsts {
  readonly sendsHsts: boolean
  readonly hstsMaxAgeSeconds: number
  readonly hstsIncludesSubdomains: boolean
  /** agrees to a place in the lists that browsers are built with */
  readonly hstsAllowsPreload: boolean
}

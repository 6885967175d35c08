/** One Service port and the endpoints behind it. */
export interface Backend {
  /** `<namespace>-<service>-<port name or number>`, as ingress-nginx names it */
  readonly name: string
  readonly loadBalance: "round_robin"
  readonly endpoints: readonly Endpoint[]
}

export interface Endpoint {
  /** IPv4 or IPv6 literal without brackets */
  readonly address: string
  /** 1 to 65535 */
  readonly port: number
}

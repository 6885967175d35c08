/** What nginx can only take from configuration text, without names, hosts, paths or numbers. Equal policies are one policy. */
export interface Policy extends PolicyFields {
  /** `policy-` and 8 hex digits of a hash over the other fields; the named location is `@` and this */
  readonly name: string
}

export interface PolicyFields {
  /** `proxy_http_version` */
  readonly proxyHttpVersion: "1.0" | "1.1"
}

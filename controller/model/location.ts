import type { TypedDirective } from "./typed-directive.ts"

/**
 * A named location of nginx.conf: what nginx can only take from configuration text, without names, hosts, paths or numbers. Equal ones are one.
 * What is absent is as it is everywhere: plain HTTP, and the http level's settings.
 */
export interface Location extends LocationFields {
  /** `location-` and 32 hex digits of a hash over the other fields; nginx.conf has it behind an `@` */
  readonly name: string
}

export interface LocationFields {
  /** absent: HTTP without TLS */
  readonly protocol?: Protocol
  /** `proxy_http_version` */
  readonly proxyHttpVersion?: "1.0" | "1.1"
  /** each request goes to the route's `mirrorTarget` too */
  readonly mirror?: "with-body" | "without-body"
  /** before a fallback, which is told for whom it answers */
  readonly isFallback?: true
  readonly fastcgi?: FastCgi
  /** of the headers that backends get from wick only `Host` and `Connection` are sent, as from a location in which nobody has named any */
  readonly isBare?: true
  /** what else stands there, after all of ours; absent: nothing */
  readonly text?: readonly TypedDirective[]
}

/** `auto` is HTTP, with TLS where the client uses it; gRPC is HTTP/2 with or without TLS. */
export type Protocol = "https" | "auto" | "grpc" | "grpcs" | "fastcgi"

export interface FastCgi {
  /** `fastcgi_index` */
  readonly index?: string
  /** beside the usual ones, and over them; values are texts with nginx's variables, in order of the names */
  readonly params: readonly NamedText[]
}

export interface NamedText {
  readonly name: string
  readonly value: string
}

export type TlsProtocol = "TLSv1.2" | "TLSv1.3"

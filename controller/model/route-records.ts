// Printed by `npm run wire` from wire/: change it there.

import type { Overrides } from "./overrides.ts"
import type { RouteVariables } from "./route-variables.ts"

/** One path of a host and what serves it. Field meanings, ranges and what a template is: docs/wire.md, ROUTE. */
export interface Route {
  readonly path: string
  readonly match: "exact" | "prefix" | "regex"
  /** `Location.name` */
  readonly location: string
  /** `Backend.name` */
  readonly backend: string
  readonly namespace: string
  readonly ingressName: string
  readonly serviceName: string
  readonly servicePort: string
  readonly locationPath: string
  /** answered at once unless one of the redirects is; nothing is proxied */
  readonly status?: number
  readonly redirect?: Redirect
  /** of requests that came by plain HTTP */
  readonly httpsRedirect?: Redirect
  /** template of the path that the backend sees */
  readonly rewrite?: string
  readonly logsRewrite?: true
  readonly variables?: RouteVariables
  /** of the response */
  readonly headers?: readonly Header[]
  /** absent: everybody may request it */
  readonly access?: Access
  readonly cors?: Cors
  /** absent: clients may request any number */
  readonly limits?: Limits
  /** absent: its requests are not traced */
  readonly tracing?: Tracing
  /** `rewrite` is about the path as the client wrote it */
  readonly rewritesRaw?: true
  /** all have to hold; absent: any request. Of equal paths the first route whose conditions hold serves */
  readonly conditions?: readonly Condition[]
  /** take the backend's place by weight; where all weights are 0 the answer is 500 */
  readonly split?: readonly WeightedBackend[]
  readonly overrides: Overrides
}

/** What a request has to be beside its path. */
export interface Condition {
  readonly of: "method" | "header" | "query"
  /** of the header or parameter; absent for a method */
  readonly name?: string
  /** `regex`: a pattern of PCRE for the whole value; absent: exact */
  readonly match?: "exact" | "regex"
  readonly value: string
}

/** One of several backends of a route. */
export interface WeightedBackend {
  /** its part of the sum of all, 0 to 1,000,000 */
  readonly weight: number
  /** `Backend.name` */
  readonly backend: string
  readonly serviceName?: string
  readonly servicePort?: string
  /** answered in its place */
  readonly status?: number
  /** of the request as this backend gets it; an empty value only removes */
  readonly requestHeaders?: readonly Header[]
  /** behind those of the route */
  readonly responseHeaders?: readonly Header[]
}

/** An answer that leads elsewhere. */
export interface Redirect {
  /** 300 to 308 */
  readonly code: number
  /** template */
  readonly to: string
}

/** A header; the value is literal, but for those that say that it is a template. */
export interface Header {
  readonly name: string
  readonly value: string
}

/** What pages of other origins may do, as a browser is told (Fetch standard, CORS protocol). */
export interface Cors {
  /** at least one, in lower case: `*`, `null`, or a scheme and a host, where `*.` stands for one label, with or without a port */
  readonly origins: readonly string[]
  /** value of the header, as the next two */
  readonly methods: string
  readonly headers: string
  readonly exposedHeaders?: string
  /** how long a preflight's answer is good; a browser that gets less than 0 asks each time */
  readonly maxAgeSeconds: number
  readonly allowsCredentials: boolean
}

/** How much a client may request of an Ingress; at least one limit. Field meanings: docs/wire.md, LIMITS. */
export interface Limits {
  /** 32 hexadecimal digits; of another Ingress it is another */
  readonly key: string
  /** requests per second */
  readonly rps?: number
  /** requests per minute, asked after `rps` */
  readonly rpm?: number
  /** so many times `rps` and `rpm` may come at once. Default 5 */
  readonly burstMultiplier?: number
  /** requests at a time, asked after the rates */
  readonly connections?: number
  /** `AddressList.id` of clients that are not limited */
  readonly exempt?: string
  /** what tells clients apart; absent: the address */
  readonly by?: readonly string[]
  readonly ipv6Bits?: number
  readonly hasHeaders?: true
}

/** The checks of a route; at least one. */
export interface Access {
  /** `AddressList.id` */
  readonly allow?: string
  /** `AddressList.id` */
  readonly deny?: string
  /** absent: every kind of check has to let a request in */
  readonly satisfy?: "any"
  /** by Basic authentication (RFC 7617) */
  readonly basic?: Password
  /** the hashes of its users are HA1 of the realm */
  readonly digest?: Password
  readonly external?: ExternalAuth
}

/** Whose passwords let a request in. */
export interface Password {
  /** `UserList.id` */
  readonly users: string
  /** shown by clients that ask for the password; literal, without control characters */
  readonly realm: string
}

/** A service that is asked whether a request gets in. Templates are those of routes. */
export interface ExternalAuth {
  /** named location that passes the question on */
  readonly location: string
  /** `Backend.name` */
  readonly backend: string
  /** template: path and query */
  readonly target: string
  /** template: Host header, and the server's name in TLS */
  readonly host: string
  /** absent: GET */
  readonly method?: string
  /** sent with the question, in the place of the client's of that name; values are templates */
  readonly headers?: readonly Header[]
  /** names of the answer's headers that the backend gets */
  readonly responseHeaders?: readonly string[]
  /** template: where a 401 leads to */
  readonly signin?: string
  /** template; absent: `$request_uri` */
  readonly requestRedirect?: string
  /** false: cookies of the answer go with successful responses and redirects only */
  readonly alwaysSetsCookie: boolean
  /** template; absent: no answer is kept */
  readonly cacheKey?: string
  readonly cacheDurations?: readonly CacheDuration[]
}

/** How long an answer of it is kept. */
export interface CacheDuration {
  /** 0: every other */
  readonly status: number
  readonly seconds: number
}

/** What a host asks of its clients. Goes with `TlsHost.clientCertificate` of the same host. */
export interface ClientCertificate {
  /** `Authority.id` */
  readonly authority: string
  /** `off`: nobody is asked, and the TLS host has no `clientCertificate`; only the headers say so, to whoever reads them */
  readonly verify: "on" | "optional" | "optional_no_ca" | "off"
  /** regular expression of PCRE for the subject's distinguished name */
  readonly matchCn?: string
  /** URL or path */
  readonly errorPage?: string
  readonly passesCertificate?: true
}

/** How requests of a route are traced. */
export interface Tracing {
  /** traces begin here, whatever context a client sends */
  readonly beginsTrace?: true
  /** of the request's span; absent: its method and `location_path` */
  readonly spanName?: string
}

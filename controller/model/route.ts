import type { Access } from "./access.ts"
import type { ClientVerification } from "./certificate.ts"
import type { Limits } from "./limits.ts"
import type { Overrides } from "./overrides.ts"

/** All routes of one host. */
export interface Host {
  /** server block it belongs to; "main" is the shared one */
  readonly server: string
  /** lower-case: exact name, `*.rest`, or `_` for every other host */
  readonly host: string
  /** regexes are tried in this order */
  readonly routes: readonly Route[]
  /** what every request by TLS has to show */
  readonly clientCertificate?: HostClientCertificate
  /** host of the same server block whose routes are this one's: it has none of its own then */
  readonly aliasOf?: string
  /** of an alias: the namespace that it belongs to. Other hosts belong to those of their routes */
  readonly owner?: string
  /** in force only: all requests are answered 503, as what is wanted had no room */
  readonly isClosed?: true
}

/** Goes with `TlsHost.clientCertificate` of the same host. */
export interface HostClientCertificate {
  // whose annotations ask for it
  readonly namespace: string
  readonly ingressName: string
  /** `Authority.id` */
  readonly authority: string
  /** `off`: nobody is asked, and the TLS host has no `clientCertificate`; only the headers say so, to whoever reads them */
  readonly verify: ClientVerification["verify"] | "off"
  /** regular expression of PCRE for the subject's distinguished name */
  readonly matchCn?: string
  /** URL or path */
  readonly errorPage?: string
  readonly passesCertificate?: true
}

/** One path of a host and what serves it. Field meanings, ranges and what a template is: docs/wire.md, ROUTE. */
export interface Route {
  readonly path: string
  readonly match: "exact" | "prefix" | "regex"
  /** `Policy.name` */
  readonly policy: string
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
  /** `rewrite` is about the path as the client wrote it */
  readonly rewritesRaw?: true
  readonly variables?: RouteVariables
  readonly headers?: readonly Header[]
  /** absent: everybody may request it */
  readonly access?: Access
  readonly cors?: Cors
  /** absent: clients may request any number */
  readonly limits?: Limits
  /** absent: its requests are not traced */
  readonly tracing?: Tracing
  readonly overrides: Overrides
}

/** `Policy.name` of all that a route names: its own, and that of a service that is asked about it, but those that are always there. */
export function policiesOf({ policy, access }: Route): readonly string[] {
  const asked = access?.external?.policy
  return asked === undefined || asked === "auth-http" || asked === "auth-https" ? [policy] : [policy, asked]
}

export interface Tracing {
  /** what clients say of their own traces is ignored */
  readonly beginsTrace?: true
  /** template; absent: method and path */
  readonly spanName?: string
}

export interface Redirect {
  /** 300 to 308 */
  readonly code: number
  /** template */
  readonly to: string
}

/** A response header; the value is literal. */
export interface Header {
  readonly name: string
  readonly value: string
}

/** What pages of other origins may do, as a browser is told (Fetch standard, CORS protocol). */
export interface Cors {
  /** at least one, in lower case: `*`, `null`, or a scheme and a host, where `*.` stands for one label, with or without a port */
  readonly origins: readonly string[]
  // values of headers
  readonly methods: string
  readonly headers: string
  readonly exposedHeaders?: string
  /** how long a preflight's answer is good; a browser that gets less than 0 asks each time */
  readonly maxAgeSeconds: number
  readonly allowsCredentials: boolean
}

/** Templates that policies see as `$route_<name>`, the name in snake case; absent ones are empty. */
export interface RouteVariables {
  /** `Host` of requests to the backend */
  readonly upstreamVhost?: string
  /** `Connection` of requests to the backend */
  readonly connection?: string
  /** `X-Forwarded-Prefix` of requests to the backend */
  readonly forwardedPrefix?: string
  /** name in the backend's certificate, and SNI */
  readonly proxySslName?: string
  readonly cookieDomainFrom?: string
  readonly cookieDomainTo?: string
  readonly cookiePathFrom?: string
  readonly cookiePathTo?: string
  readonly redirectFrom?: string
  readonly redirectTo?: string
  /** `Backend.name` of what gets copies of requests */
  readonly mirrorBackend?: string
  /** URL of a copy; its host is the upstream that asks for that backend */
  readonly mirrorTarget?: string
  /** `Host` of copies */
  readonly mirrorHost?: string
  /** SNI of copies by TLS */
  readonly mirrorName?: string
  /** `Backend.name` of what answers intercepted errors */
  readonly errorBackend?: string
  /** `Backend.name` whose sessions may begin here */
  readonly session?: string
  /** "0": not logged */
  readonly accessLog?: "0"
  /** which part of the requests that do not fail is logged: 0 to 1 */
  readonly accessLogSample?: string
}

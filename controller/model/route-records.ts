// Printed by `npm run wire` from wire/: change it there.

import type { Overrides } from "./overrides.ts"
import type { RouteVariables } from "./route-variables.ts"

/** What is posted of a host. */
export interface Host {
  /** lower-case: exact name, `*.rest` for one label in front, `**.rest` for one or more, or `_` for every other host */
  readonly host: string
  /** whose hosts they are: `sharedServer`, or `serverOf` a listener */
  readonly server: string
  /** regexes are tried in this order */
  readonly routes: readonly Route[]
  /** in force only: all requests are answered 503, as what is wanted had no room */
  readonly isClosed?: true
  /** host of the same server whose routes are this one's: it has none of its own then */
  readonly aliasOf?: string
  /** run for every request before its route is looked for; it has one level at most, for what it answers. An alias has that of the other host */
  readonly script?: Script
  /** of those listeners that share an address and a port the one whose host it is: a request by TLS for another is answered 421; absent: nobody asks */
  readonly listener?: string
  /** what every request by TLS has to show */
  readonly clientCertificate?: ClientCertificate
}

/** One path of a host and what serves it. Field meanings, ranges and what a template is: docs/wire.md, ROUTE. */
export interface Route {
  readonly path: string
  readonly match:
    | "exact"
    | "prefix"
    | "regex"
    | "string_prefix"
    | "string_prefix_final"
    | "pattern"
    | "pattern_any_case"
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
  /** of its snippets; absent: nothing */
  readonly script?: Script
  /** the path without the slash at its end is not led to it, as of a location that proxies nothing */
  readonly hasNoSlashRedirect?: true
  /** the location in which its own stands: a path, or `~ PATTERN` or `~* PATTERN`; absent: none */
  readonly within?: string
  /** absent: none */
  readonly actions?: Actions
  /** absent: none inspects its requests */
  readonly waf?: Waf
  /** absent: as its location has it */
  readonly backendTls?: BackendTls
  /** what the object calls the rule; absent: it has no name */
  readonly rule?: string
  readonly overrides: Overrides
}

/** What a request has to be beside its path. */
export interface Condition {
  readonly of: "method" | "header" | "query" | "scheme"
  /** of the header or parameter; absent for a method or a scheme */
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
  /** what becomes of its requests beside the route's; absent: nothing */
  readonly actions?: Actions
  /** `Location.name`; absent: the route's */
  readonly location?: string
  /** literal, in the place of the route's */
  readonly variables?: RouteVariables
  /** in the place of the route's; absent: the route's, unless `location` is there */
  readonly backendTls?: BackendTls
}

/** What becomes of requests of a route, or of one of its backends; texts are literal. Field meanings: docs/wire.md, ACTIONS. */
export interface Actions {
  /** as backends get it; an empty value only removes */
  readonly setRequestHeaders?: readonly Header[]
  /** each as one more line */
  readonly addRequestHeaders?: readonly Header[]
  /** an empty value only removes */
  readonly setResponseHeaders?: readonly Header[]
  /** each as one more line */
  readonly addResponseHeaders?: readonly Header[]
  /** takes the place of the request's; of a redirect, it follows */
  readonly path?: string
  /** `path` is in the place of the route's own at its beginning */
  readonly replacesPrefix?: true
  /** of all attempts; absent: none */
  readonly requestTimeoutMs?: number
  /** of each attempt; absent: none */
  readonly backendTimeoutMs?: number
  /** those that `proxyNextUpstream` has no word for */
  readonly retryCodes?: readonly number[]
  /** who gets copies */
  readonly mirrors?: readonly Mirror[]
}

/** A backend that gets copies of requests. */
export interface Mirror {
  /** `Backend.name` */
  readonly backend: string
  /** `Location.name`; absent: that of the request */
  readonly location?: string
  /** literal, in the place of the route's */
  readonly variables?: RouteVariables
  /** absent: `denominator` */
  readonly numerator?: number
  /** absent: 100 */
  readonly denominator?: number
  /** goes with `location` */
  readonly backendTls?: BackendTls
}

/** The web application firewall of a route. Field meanings: docs/wire.md, WAF. */
export interface Waf {
  /** `SourceName` of whose rules these are: those that it had serve until new ones are ready */
  readonly owner: string
  /** `RuleSet.digest` */
  readonly rules: string
  /** template; absent: `$req_id` */
  readonly transactionId?: string
  /** requests pass without it where a worker cannot ask it */
  readonly failsOpen?: true
}

/** How a backend is spoken to in TLS. Field meanings: docs/wire.md, BACKEND_TLS. */
export interface BackendTls {
  /** `Authority.id`; absent: the backend's certificate is not looked at */
  readonly authority?: string
  /** of chains */
  readonly depth?: number
  /** one of which the certificate has to be for, in the place of the name that is sent */
  readonly alternativeNames?: readonly string[]
  /** `Certificate.id`: what the backend is shown; absent: nothing */
  readonly certificate?: string
  /** SNI */
  readonly sendsName?: true
  /** OpenSSL's list; absent: its own */
  readonly ciphers?: string
  /** the only one; absent: 1.2 and 1.3 */
  readonly version?: "TLSv1.2" | "TLSv1.3"
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
  readonly methods?: string
  readonly headers?: string
  readonly exposedHeaders?: string
  /** how long a preflight's answer is good; a browser that gets less than 0 asks each time */
  readonly maxAgeSeconds: number
  readonly allowsCredentials: boolean
  /** by the words of the Gateway API */
  readonly isGateway?: true
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
  /** the first that fits decides; where none does, nobody is refused */
  readonly rules?: readonly AccessRule[]
  /** codes of ISO 3166-1; absent: all */
  readonly allowCountries?: readonly string[]
  /** codes of ISO 3166-1 */
  readonly denyCountries?: readonly string[]
  /** numbers of autonomous systems; absent: all */
  readonly allowAsns?: readonly number[]
  /** numbers of autonomous systems */
  readonly denyAsns?: readonly number[]
}

/** Basic or Digest authentication: the users, and the realm. */
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
  /** template: Host header, and the server's name in TLS unless the backend's has one */
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
  /** as the filter ExternalAuth of the Gateway API has it: the client's method, `requestHeaders` alone, and 200 lets in */
  readonly isFilter?: true
  /** names; with `isFilter` */
  readonly requestHeaders?: readonly string[]
  /** absent: its certificate is not looked at */
  readonly backendTls?: BackendTls
}

/** How long an answer of it is kept. */
export interface CacheDuration {
  /** 0: every other */
  readonly status: number
  readonly seconds: number
}

/** A rule that lets clients of a network in, or refuses them. */
export interface AccessRule {
  readonly action: "allow" | "deny"
  /** `all`, `unix:` (by a socket of the file system), or a network as address/bits */
  readonly from: string
}

/** What a snippet says, compiled. Field meanings: docs/wire.md, SCRIPT. */
export interface Script {
  /** one behind the other */
  readonly steps?: readonly Step[]
  /** the first is in force from the beginning; the others where a step says so */
  readonly levels?: readonly Level[]
}

/** One directive of the rewrite module. Templates also know variables of `set` and named groups. */
export interface Step {
  /** the directive */
  readonly op: "set" | "if" | "rewrite" | "return" | "break"
  /** set: the variable, in lower case, without `$` */
  readonly name?: string
  /** template. set: the value; if: what is tested; rewrite: the replacement; return: body or URL, absent: none */
  readonly value?: string
  /** if */
  readonly test?:
    | "filled"
    | "equal"
    | "unequal"
    | "match"
    | "match_any_case"
    | "mismatch"
    | "mismatch_any_case"
  /** of PCRE, matches anywhere. if with a pattern, rewrite */
  readonly pattern?: string
  /** template. if with equal or unequal */
  readonly against?: string
  /** if: how many of the following steps are its body; absent: none */
  readonly skip?: number
  /** if: index of the level that is in force from then on when it holds */
  readonly level?: number
  /** return: the status */
  readonly code?: number
  /** rewrite; absent: none */
  readonly flag?: "none" | "last" | "break" | "redirect" | "permanent"
  /** rewrite: the replacement ended in `?` */
  readonly dropsArgs?: true
  /** return: the value is a URL, not a body */
  readonly isUrl?: true
}

/** The settings of a location, or of an `if` in it. */
export interface Level {
  /** in order */
  readonly responseHeaders?: readonly ResponseHeader[]
  /** values are templates; an empty one is not sent */
  readonly upstreamHeaders?: readonly Header[]
  /** of the request, changed at the end of the rewrite phase, in order */
  readonly inputHeaders?: readonly InputHeader[]
  /** headers of the backend's response that clients do not get */
  readonly hides?: readonly string[]
  /** headers of the backend's response that clients get although nginx would hide them */
  readonly passes?: readonly string[]
  /** `off`, `epoch`, `max`, `+SECONDS`, `-SECONDS`, `@SECONDS` of the day, `modified +SECONDS`, or a template that begins with `$` */
  readonly expires?: string
  /** template */
  readonly limitRate?: string
  /** template */
  readonly limitRateAfter?: string
  readonly accessLogOff?: true
  /** of the body of a `return`, and of a response that has none; empty: no type */
  readonly defaultType?: string
  readonly errorPages?: readonly ErrorPage[]
  /** worked out with the answer of the authentication service */
  readonly authVariables?: readonly Assignment[]
  /** on zones of nginx's, each zone once */
  readonly requestLimits?: readonly RequestLimit[]
  /** on zones of nginx's, each zone once */
  readonly connectionLimits?: readonly ConnectionLimit[]
  /** requests are counted, and none is refused or delayed */
  readonly limitReqDryRun?: boolean
  /** requests are counted, and none is refused */
  readonly limitConnDryRun?: boolean
  readonly limitReqLogLevel?: "info" | "notice" | "warn" | "error"
  readonly limitConnLogLevel?: "info" | "notice" | "warn" | "error"
  /** of what `limit_req` refuses */
  readonly limitReqStatus?: number
  /** of what `limit_conn` refuses */
  readonly limitConnStatus?: number
  /** of `Location` and `Refresh` of the backend's response: the first that fits */
  readonly redirects?: readonly Replacement[]
  /** of cookies that the backend sets: the first that fits */
  readonly cookieDomains?: readonly Replacement[]
  /** of cookies that the backend sets: the first that fits */
  readonly cookiePaths?: readonly Replacement[]
  /** of cookies that the backend sets: the first that fits */
  readonly cookieFlags?: readonly CookieFlags[]
}

/** What becomes of a header of the response. */
export interface ResponseHeader {
  /** `add`: as `add_header`; the others as `more_set_headers` and `more_clear_headers` */
  readonly op: "add" | "set" | "clear" | "append"
  /** of `clear`, it may end in `*` */
  readonly name: string
  /** template; absent: empty */
  readonly value?: string
  /** add: whatever the status */
  readonly always?: true
  /** of responses that this is about; absent: all */
  readonly statuses?: readonly number[]
  /** content types of responses that this is about; absent: all */
  readonly types?: readonly string[]
}

/** What becomes of a header of the request. */
export interface InputHeader {
  /** as `more_set_input_headers` and `more_clear_input_headers` */
  readonly op: "set" | "clear"
  /** of `clear`, it may end in `*` */
  readonly name: string
  /** template; absent: empty */
  readonly value?: string
  /** set: only where the request has it */
  readonly replaces?: true
  /** content types of requests that this is about; absent: all */
  readonly types?: readonly string[]
}

/** What is sent in the place of an error. */
export interface ErrorPage {
  /** 300 to 599, but not 499 */
  readonly codes: readonly number[]
  /** the status that is sent; 0: that of the page; absent: that of the error */
  readonly code?: number
  /** template: URL, path, or `@NAME` */
  readonly to: string
}

/** How many requests a zone of nginx's lets in. Field meanings: docs/wire.md, REQUEST_LIMIT. */
export interface RequestLimit {
  /** of a `limit_req_zone` of the configuration; where there is none, requests are answered 500 */
  readonly zone: string
  /** absent: 0 */
  readonly burst?: number
  /** absent: 0 */
  readonly delay?: number
  /** in the place of `delay` */
  readonly hasNoDelay?: true
}

/** How many requests at a time a zone of nginx's lets in. */
export interface ConnectionLimit {
  /** of a `limit_conn_zone` of the configuration; where there is none, requests are answered 500 */
  readonly zone: string
  readonly connections: number
}

/** What takes the place of a text in the backend's response, or of what it begins with. */
export interface Replacement {
  /** template: what the text begins with. Either this or `pattern` */
  readonly from?: string
  /** of PCRE, matches anywhere; all of the text is replaced */
  readonly pattern?: string
  /** pattern: whatever the case */
  readonly anyCase?: true
  /** template, also with groups of `pattern` */
  readonly to: string
}

/** What becomes of the flags of a cookie that the backend sets. */
export interface CookieFlags {
  /** template: the name, whatever its case. Either this or `pattern` */
  readonly cookie?: string
  /** of PCRE, matches anywhere in the name */
  readonly pattern?: string
  /** pattern: whatever the case */
  readonly anyCase?: true
  /** absent: as the backend has it */
  readonly secure?: boolean
  /** absent: as the backend has it */
  readonly httpOnly?: boolean
  /** absent: as the backend has it; `off`: it has none */
  readonly sameSite?: "strict" | "lax" | "none" | "off"
}

/** A variable, in lower case, and what it becomes. */
export interface Assignment {
  readonly name: string
  /** template */
  readonly value: string
}

/** What a host asks of its clients. Goes with `TlsHost.clientCertificate` of the same host. */
export interface ClientCertificate {
  /** `Authority.id` */
  readonly authority: string
  /** `off`: nobody is asked, and the TLS host has no `clientCertificate`; only the headers say so, to whoever reads them. `required`: whichever host the handshake was for */
  readonly verify: "on" | "optional" | "optional_no_ca" | "off" | "required"
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

import type { Fields } from "./field.ts"

// A host with its routes: docs/wire.md, HOST and ROUTE.

const since = "0.1.0"

/** How a host is named that is removed. */
export const place: Fields = [
  {
    name: "host",
    type: "name",
    isRequired: true,
    since,
    meaning:
      "lower-case, at most 253 bytes of `[a-z0-9._-]`: exact, `*.rest` for one label in front, `**.rest` for one or more, or `_` for every other host. Exact comes first, then `*.rest`, then the longest `**.rest`",
  },
  {
    name: "server",
    type: "server",
    since,
    meaning:
      "whose hosts these are: a server block's that has `ingress_route … server=NAME`, 1–63 bytes of `[a-z0-9-]`, default `main`; or a listener's, SCHEME:ADDRESS:PORT, as `http:10.0.0.1:80`, `https:[2001:db8::1]:443` or `http:*:8080`, the address in canonical form (ingress-module.md)",
  },
]

export const host: Fields = [
  ...place,
  {
    name: "routes",
    type: "routes",
    id: 6,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "see ROUTE; none if there are parts, or for an alias",
  },
  {
    name: "parts",
    type: "part_ids",
    id: 7,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "ids of ROUTE_PARTs; the host's routes are theirs, one part behind the other",
  },
  {
    name: "closed",
    type: "mark",
    id: 8,
    isCritical: true,
    since,
    meaning:
      "every request is answered 503, whatever else is said here: for what may not be served as it was and has no room as it is to be. This alone makes a record of 9 bytes, which has room in a full zone (abi.md)",
  },
  {
    name: "alias_of",
    type: "host_name",
    id: 9,
    isCritical: true,
    since,
    meaning:
      "the host of the same server whose routes are this one's, which has none of its own then. One that is not there, is closed or is itself an alias closes this one",
  },
  {
    name: "script",
    type: "script",
    id: 10,
    isCritical: true,
    since,
    meaning:
      "steps that are run for every request before its route is looked for, as those of a server block, see SCRIPT; it has one level at most, in force for what they answer. An alias has that of the other host, and says none",
  },
  {
    name: "listener",
    type: "line",
    id: 11,
    isCritical: true,
    since,
    meaning:
      "whose host this is, of those listeners that share an address and a port: a request by TLS whose handshake was for another (TLS_HOST, `listener`) is answered 421; absent: for none in particular, and nobody asks",
  },
  {
    name: "client_certificate",
    type: "client_certificate",
    isCritical: true,
    since,
    meaning:
      "what every request for the host that comes by TLS has to show, on whatever path (ingress-module.md); absent: nothing",
  },
]

/** Some of the routes of a host that has many. */
export const routePart: Fields = [
  { name: "id", type: "name", isRequired: true, since, meaning: "" },
  { name: "routes", type: "routes", id: 6, isRepeated: true, isRequired: true, since, meaning: "see ROUTE" },
]

/** What a host asks of its clients; in its record the host's own fields. */
export const clientCertificate: Fields = [
  {
    name: "authority",
    model: { meaning: "`Authority.id`" },
    type: "id",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "that of the host's TLS_HOST",
  },
  {
    name: "verify",
    model: {
      meaning:
        "`off`: nobody is asked, and the TLS host has no `clientCertificate`; only the headers say so, to whoever reads them. `required`: whichever host the handshake was for",
    },
    type: "host_verify",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "that of the host's TLS_HOST; `off`: nobody is asked, and the TLS_HOST has none; `required`: the handshake has verified it, whichever host it was for",
  },
  {
    name: "match_cn",
    model: { meaning: "regular expression of PCRE for the subject's distinguished name" },
    type: "line",
    id: 3,
    isCritical: true,
    since,
    meaning:
      "pattern that the subject's distinguished name must match somewhere (requests by plain HTTP as well, which have none)",
  },
  {
    name: "error_page",
    model: { meaning: "URL or path" },
    type: "line",
    id: 4,
    since,
    meaning: "URL or path for those who bring no good certificate",
  },
  {
    name: "pass_certificate",
    model: { name: "passesCertificate", meaning: "" },
    type: "mark",
    id: 5,
    since,
    meaning: "the backend gets the certificate itself too",
  },
]

export const route: Fields = [
  {
    name: "path",
    model: { meaning: "" },
    type: "path",
    id: 1,
    isRequired: true,
    since,
    meaning:
      "starts with `/`, compared with nginx's decoded, normalised URI, case-sensitive; of a `regex` a pattern of PCRE, compared without regard to case, at most 4096 bytes; of a `pattern` or `pattern_any_case` likewise, and it need not start with `/`",
  },
  {
    name: "match",
    model: { meaning: "" },
    type: "match",
    id: 2,
    isRequired: true,
    since,
    meaning:
      '`prefix` by path elements: `/cart` matches `/cart`, `/cart/` and `/cart/x`, not `/cartoon`; `regex` as `location ~* "^PATH"` does, so at the start of the URI (of alternatives in no group, `/a|/b`, only the first is bound to it). The others are those of nginx\'s locations: `string_prefix` is its plain one (`/cart` matches `/cartoon` too), `string_prefix_final` its `^~`, `pattern` its `~` and `pattern_any_case` its `~*`, which match anywhere. As in nginx exact paths come first, then the longest prefix if it is final, then patterns of all kinds in the order of the record, then the longest prefix',
  },
  {
    name: "location",
    model: { meaning: "`Location.name`" },
    type: "label",
    id: 3,
    isRequired: true,
    since,
    meaning: "named location `@<location>` of the server block",
  },
  {
    name: "backend",
    model: { meaning: "`Backend.name`" },
    type: "label",
    id: 4,
    isRequired: true,
    since,
    meaning: "becomes `$proxy_upstream_name`",
  },
  {
    name: "namespace",
    model: { isAlways: true, meaning: "" },
    type: "text",
    id: 5,
    since,
    meaning: "variable of the same name; default empty",
  },
  {
    name: "ingress_name",
    model: { isAlways: true, meaning: "" },
    type: "text",
    id: 6,
    since,
    meaning: "likewise",
  },
  {
    name: "service_name",
    model: { isAlways: true, meaning: "" },
    type: "text",
    id: 7,
    since,
    meaning: "likewise",
  },
  {
    name: "service_port",
    model: { isAlways: true, meaning: "" },
    type: "text",
    id: 8,
    since,
    meaning: "likewise",
  },
  {
    name: "location_path",
    model: { isAlways: true, meaning: "" },
    type: "text",
    id: 9,
    since,
    meaning: "likewise",
  },
  {
    name: "status",
    model: { meaning: "answered at once unless one of the redirects is; nothing is proxied" },
    type: "status",
    id: 10,
    isCritical: true,
    since,
    meaning:
      "answered at once, after the redirects, in the location's name (its error pages apply); nothing is proxied",
  },
  {
    name: "redirect",
    model: { meaning: "" },
    type: "redirect",
    id: 11,
    isCritical: true,
    since,
    meaning: "answered at once: `code` 300–308, `to` a template of at least one byte",
  },
  {
    name: "https_redirect",
    model: { meaning: "of requests that came by plain HTTP" },
    type: "redirect",
    id: 12,
    isCritical: true,
    since,
    meaning: "the same, for requests whose scheme is `http` only",
  },
  {
    name: "rewrite",
    model: { meaning: "template of the path that the backend sees" },
    type: "template",
    id: 13,
    isCritical: true,
    since,
    meaning:
      "takes the place of the URI's path, without escapes; the arguments stay, a `?` is a part of the path",
  },
  {
    name: "log_rewrite",
    model: { name: "logsRewrite", meaning: "" },
    type: "mark",
    id: 14,
    since,
    meaning: "the error log notes each rewrite",
  },
  {
    name: "variables",
    model: { type: "RouteVariables", meaning: "" },
    type: "variables",
    id: 15,
    isRepeated: true,
    since,
    meaning: "name (1–63 bytes of `[a-z0-9_]`) → template: what locations see as `$route_<name>`",
  },
  {
    name: "headers",
    model: { meaning: "of the response" },
    type: "headers",
    id: 16,
    isRepeated: true,
    since,
    meaning:
      "response headers, each in the place of all of its name: `name` 1–253 bytes as of a cookie, `value` without control characters, literal. An empty value only removes. What frames a message (ingress-module.md) stays nginx's",
  },
  {
    name: "access",
    model: { meaning: "absent: everybody may request it" },
    type: "access",
    id: 17,
    isCritical: true,
    since,
    meaning:
      "who may request the path, see ACCESS; absent: everybody. Looked at after the redirects, and before a status of 404 or 503, which stands in the place of a backend; other statuses come first",
  },
  {
    name: "cors",
    model: { meaning: "" },
    type: "cors",
    id: 18,
    since,
    meaning: "what pages of other origins may do (ingress-module.md), see below",
  },
  {
    name: "limits",
    model: { meaning: "absent: clients may request any number" },
    type: "limits",
    id: 19,
    isCritical: true,
    since,
    meaning:
      "how much a client may request, see LIMITS; absent: any number. Looked at after the redirects, before `access`",
  },
  {
    name: "trace",
    model: {
      name: "tracing",
      type: "Tracing",
      as: "presence",
      meaning: "absent: its requests are not traced",
    },
    type: "mark",
    id: 20,
    since,
    meaning: "requests are traced: the backend gets their context, and those that are sampled leave spans",
  },
  {
    name: "trace_begins",
    model: { name: "beginsTrace", within: "tracing" },
    type: "mark",
    id: 21,
    since,
    meaning: "traces begin here, whatever context a client sends",
  },
  {
    name: "span_name",
    model: { within: "tracing" },
    type: "template",
    id: 22,
    since,
    meaning: "of the request's span; absent: its method and `location_path`",
  },
  {
    name: "rewrite_raw",
    model: { name: "rewritesRaw", meaning: "`rewrite` is about the path as the client wrote it" },
    type: "mark",
    id: 23,
    since,
    meaning:
      "the groups of `rewrite` are those of the path as the client wrote it, with its escapes and slashes, and the result goes to the backend as it is; where the pattern does not match that path, `rewrite` is as without",
  },
  {
    name: "conditions",
    model: {
      meaning:
        "all have to hold; absent: any request. Of equal paths the first route whose conditions hold serves",
    },
    type: "conditions",
    id: 24,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "what a request has to be beside its path, see CONDITION: a route of which one does not hold is not there for the request. Of several routes with the same path and match whose conditions hold the first in the record serves",
  },
  {
    name: "split",
    model: { meaning: "take the backend's place by weight; where all weights are 0 the answer is 500" },
    type: "split",
    id: 25,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "backends that share the route's requests by weight, see WEIGHTED_BACKEND: one of them takes the place of `backend` for each request, retries included. Where all weights are 0 the answer is 500",
  },
  {
    name: "script",
    model: { meaning: "of its snippets; absent: nothing" },
    type: "script",
    id: 26,
    isCritical: true,
    since,
    meaning: "steps that are run when the route is found, and settings of its requests, see SCRIPT",
  },
  {
    name: "no_slash_redirect",
    model: {
      name: "hasNoSlashRedirect",
      meaning:
        "the path without the slash at its end is not led to it, as of a location that proxies nothing",
    },
    type: "mark",
    id: 27,
    since,
    meaning:
      "of a path that ends in a slash: the same without it is not answered by a redirect to it, as nginx has it of a location that proxies nothing",
  },
  {
    name: "within",
    model: {
      meaning: "the location in which its own stands: a path, or `~ PATTERN` or `~* PATTERN`; absent: none",
    },
    type: "label",
    id: 28,
    isCritical: true,
    since,
    meaning:
      "the location in which that of this route stands, as nginx names it: the path of a `string_prefix`, that of a `prefix` with a slash at its end, `~ PATTERN`, `~* PATTERN`, or `~* ^PATH` of a `regex`. It is searched only where that one has been found, as nginx does; absent: with those of the server block",
  },
  {
    name: "actions",
    model: { meaning: "absent: none" },
    type: "actions",
    id: 29,
    isCritical: true,
    since,
    meaning: "what becomes of its requests beyond that, see ACTIONS; absent: nothing",
  },
  {
    name: "waf",
    model: { meaning: "absent: none inspects its requests" },
    type: "waf",
    id: 30,
    isCritical: true,
    since,
    meaning:
      "the web application firewall that inspects its requests, see WAF; absent: none. What must not pass it gets 503 where it cannot be asked",
  },
  {
    name: "overrides",
    model: { isAlways: true, meaning: "" },
    type: "overrides",
    since,
    meaning: "numbers in force instead of the location's own; each optional, see below",
  },
]

/** The web application firewall of a route. */
export const waf: Fields = [
  {
    name: "owner",
    model: {
      meaning: "`SourceName` of whose rules these are: those that it had serve until new ones are ready",
    },
    type: "label",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "whose rules these are, at most 1024 bytes: while a worker compiles a set, that which it had of the same owner inspects; without one requests wait",
  },
  {
    name: "rules",
    model: { meaning: "`RuleSet.digest`" },
    type: "rules_digest",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "SHA-256 of the rule set's file in the directory of `ingress_modsecurity`, 64 hexadecimal digits in lower case (ingress-module.md)",
  },
  {
    name: "transaction_id",
    model: { meaning: "template; absent: `$req_id`" },
    type: "template",
    id: 3,
    since,
    meaning: "what logs of the rules call a request; absent, or empty for a request: `$req_id`",
  },
  {
    name: "fail_open",
    model: { name: "failsOpen", meaning: "requests pass without it where a worker cannot ask it" },
    type: "mark",
    id: 4,
    since,
    meaning:
      "where a worker has no library, or cannot use the rules, requests pass uninspected in the place of 503",
  },
]

/** What a request has to be beside its path. */
export const condition: Fields = [
  {
    name: "of",
    model: { meaning: "" },
    type: "condition_of",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "what is compared: the request's method, a header (several lines of one name are one value with commas between them), or a query parameter (of several of one name the first)",
  },
  {
    name: "name",
    model: { meaning: "of the header or parameter; absent for a method" },
    type: "line",
    id: 2,
    isCritical: true,
    since,
    meaning:
      "of the header, in any case, or of the parameter, without escapes; for these two required, for a method not allowed",
  },
  {
    name: "match",
    model: { meaning: "`regex`: a pattern of PCRE for the whole value; absent: exact" },
    type: "value_match",
    id: 3,
    isCritical: true,
    since,
    meaning:
      "`exact` (default), byte by byte, or `regex`, a pattern of PCRE that matches the whole value, with regard to case. A header or parameter that is absent meets no condition",
  },
  {
    name: "value",
    model: { meaning: "" },
    type: "text",
    id: 4,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "at most 4096 bytes without control characters; of a parameter without escapes",
  },
]

/** One of several backends of a route. */
export const weightedBackend: Fields = [
  {
    name: "weight",
    model: { meaning: "its part of the sum of all, 0 to 1,000,000" },
    type: "split_weight",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "its part of the sum of all weights; 0: no request",
  },
  {
    name: "backend",
    model: { meaning: "`Backend.name`" },
    type: "label",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "becomes `$proxy_upstream_name`",
  },
  {
    name: "service_name",
    model: { meaning: "" },
    type: "text",
    id: 3,
    since,
    meaning: "variable of the same name; default empty",
  },
  { name: "service_port", model: { meaning: "" }, type: "text", id: 4, since, meaning: "likewise" },
  {
    name: "status",
    model: { meaning: "answered in its place" },
    type: "status",
    id: 5,
    isCritical: true,
    since,
    meaning: "as the route's, of those requests that it would get",
  },
  {
    name: "actions",
    model: { meaning: "what becomes of its requests beside the route's; absent: nothing" },
    type: "actions",
    id: 8,
    isCritical: true,
    since,
    meaning:
      "what becomes of the requests that it gets, beside what the route says of all, see ACTIONS; absent: nothing. It has neither timeouts nor retries; its `path` is in the place of the route's",
  },
  {
    name: "location",
    model: { meaning: "`Location.name`; absent: the route's" },
    type: "label",
    id: 9,
    isCritical: true,
    since,
    meaning: "named location in the place of the route's; absent: that",
  },
  {
    name: "variables",
    model: { type: "RouteVariables", meaning: "literal, in the place of the route's" },
    type: "variables",
    id: 10,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "as of the route, in the place of its own of these names; literal",
  },
]

/** What becomes of requests of a route, or of one of its backends. Texts are literal. */
export const actions: Fields = [
  {
    name: "set_request_headers",
    model: { meaning: "as backends get it; an empty value only removes" },
    type: "headers",
    id: 1,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "headers of the request as backends get it, each in the place of all of its name; an empty value only removes. What frames a message, and `Host`, stay",
  },
  {
    name: "add_request_headers",
    model: { meaning: "each as one more line" },
    type: "headers",
    id: 2,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "headers of the request as backends get it, each as one more line, behind those above",
  },
  {
    name: "set_response_headers",
    model: { meaning: "an empty value only removes" },
    type: "headers",
    id: 3,
    isRepeated: true,
    since,
    meaning: "as `headers` of the route, behind those",
  },
  {
    name: "add_response_headers",
    model: { meaning: "each as one more line" },
    type: "headers",
    id: 4,
    isRepeated: true,
    since,
    meaning: "headers of the response, each as one more line, behind those above",
  },
  {
    name: "path",
    model: { meaning: "takes the place of the request's; of a redirect, it follows" },
    type: "path",
    id: 5,
    isCritical: true,
    since,
    meaning:
      "takes the place of the path, as it stands in the line of a request; the arguments stay. Where the route has a redirect, what that becomes is followed by this path and the arguments",
  },
  {
    name: "path_prefix",
    model: { name: "replacesPrefix", meaning: "`path` is in the place of the route's own at its beginning" },
    type: "mark",
    id: 6,
    isCritical: true,
    since,
    meaning:
      "of a route with a `prefix`: `path` takes the place of that at the path's beginning alone, and what follows stays as the client wrote it. A slash at the end of either counts for nothing; of nothing `/` is left",
  },
  {
    name: "request_timeout_ms",
    model: { meaning: "of all attempts; absent: none" },
    type: "milliseconds",
    id: 7,
    since,
    meaning:
      "how long a request may take at backends, with all of its attempts, to the end of the answer; then it is 504, or where the answer has begun the connection is closed. Absent: any time",
  },
  {
    name: "backend_timeout_ms",
    model: { meaning: "of each attempt; absent: none" },
    type: "milliseconds",
    id: 8,
    since,
    meaning: "how long each attempt may take, likewise; then it has failed as by a timeout. Absent: any time",
  },
  {
    name: "retry_codes",
    model: { meaning: "those that `proxyNextUpstream` has no word for" },
    type: "retry_codes",
    id: 9,
    isRepeated: true,
    since,
    meaning:
      "statuses that lead to another attempt, whatever the method, as those do that `proxy_next_upstream` has words for",
  },
  {
    name: "mirrors",
    model: { meaning: "who gets copies" },
    type: "mirrors",
    id: 10,
    isRepeated: true,
    since,
    meaning: "backends that get copies of the request, see MIRROR; their answers are dropped",
  },
]

/** Who gets copies of requests. */
export const mirror: Fields = [
  {
    name: "backend",
    model: { meaning: "`Backend.name`" },
    type: "label",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "`$proxy_upstream_name` of the copy",
  },
  {
    name: "location",
    model: { meaning: "`Location.name`; absent: that of the request" },
    type: "label",
    id: 2,
    isCritical: true,
    since,
    meaning: "named location that serves it; absent: that of the request",
  },
  {
    name: "variables",
    model: { type: "RouteVariables", meaning: "literal, in the place of the route's" },
    type: "variables",
    id: 3,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "as of a weighted backend",
  },
  {
    name: "numerator",
    model: { meaning: "absent: `denominator`" },
    type: "part",
    id: 4,
    isCritical: true,
    since,
    meaning: "which part of the requests is copied: as many of `denominator`; absent: all",
  },
  {
    name: "denominator",
    model: { meaning: "absent: 100" },
    type: "whole",
    id: 5,
    isCritical: true,
    since,
    meaning: "absent: 100",
  },
]

/** What a route says about CORS; in its record one field with these. */
export const cors: Fields = [
  {
    name: "origins",
    model: {
      meaning:
        "at least one, in lower case: `*`, `null`, or a scheme and a host, where `*.` stands for one label, with or without a port",
    },
    type: "origins",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning:
      "compared from end to end, ASCII letters in any case: `scheme://host` with or without a port, as a browser sends it; a `*.` before the host stands for one label of letters, digits and dashes. `*` is every request, also one without an Origin",
  },
  {
    name: "allow_methods",
    model: { name: "methods", meaning: "value of the header, as the next two" },
    type: "line",
    id: 2,
    since,
    meaning: "value of `Access-Control-Allow-Methods`; absent: there is none",
  },
  {
    name: "allow_headers",
    model: { name: "headers", meaning: "" },
    type: "line",
    id: 3,
    since,
    meaning: "value of `Access-Control-Allow-Headers`; absent: there is none",
  },
  {
    name: "expose_headers",
    model: { name: "exposedHeaders", meaning: "" },
    type: "line",
    id: 4,
    since,
    meaning: "value of `Access-Control-Expose-Headers`; absent: that of the backend stays",
  },
  {
    name: "max_age",
    model: {
      name: "maxAgeSeconds",
      type: "number",
      as: "text",
      meaning: "how long a preflight's answer is good; a browser that gets less than 0 asks each time",
    },
    type: "line",
    id: 5,
    isRequired: true,
    since,
    meaning: "value of `Access-Control-Max-Age`",
  },
  {
    name: "credentials",
    model: { name: "allowsCredentials", type: "boolean", isAlways: true, meaning: "" },
    type: "mark",
    id: 6,
    since,
    meaning: "`Access-Control-Allow-Credentials: true` is sent; else none is, not even the backend's",
  },
  {
    name: "gateway",
    model: { name: "isGateway", meaning: "by the words of the Gateway API" },
    type: "mark",
    id: 7,
    since,
    meaning:
      "by the words of the Gateway API: a `*.` before a host stands for any number of labels, and a host `*` for every one; a `*` of origins, methods and headers is answered by what the request asks for; OPTIONS with `Access-Control-Request-Method` and an Origin is answered whatever the origin, and no other; methods, headers and age are told then alone",
  },
]

export const redirect: Fields = [
  {
    name: "code",
    model: { meaning: "300 to 308" },
    type: "redirect_code",
    isRequired: true,
    since,
    meaning: "",
  },
  { name: "to", model: { meaning: "template" }, type: "template", isRequired: true, since, meaning: "" },
]

export const header: Fields = [
  { name: "name", type: "token", isRequired: true, since, meaning: "" },
  { name: "value", type: "text", isRequired: true, since, meaning: "" },
]

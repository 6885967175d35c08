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
    meaning: "lower-case, at most 253 bytes of `[a-z0-9._-]`: exact, `*.rest`, or `_` for every other host",
  },
  {
    name: "server",
    type: "server",
    since,
    meaning:
      "server block whose `ingress_route … server=NAME` finds it, default `main`: 1–63 bytes of `[a-z0-9-]`",
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
      "the host of the same server block whose routes are this one's, which has none of its own then. One that is not there, is closed or is itself an alias closes this one",
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
    type: "id",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "that of the host's TLS_HOST",
  },
  {
    name: "verify",
    type: "host_verify",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "that of the host's TLS_HOST; `off`: nobody is asked, and the TLS_HOST has none",
  },
  {
    name: "match_cn",
    type: "line",
    id: 3,
    isCritical: true,
    since,
    meaning:
      "pattern that the subject's distinguished name must match somewhere (requests by plain HTTP as well, which have none)",
  },
  {
    name: "error_page",
    type: "line",
    id: 4,
    since,
    meaning: "URL or path for those who bring no good certificate",
  },
  {
    name: "pass_certificate",
    type: "mark",
    id: 5,
    since,
    meaning: "the backend gets the certificate itself too",
  },
]

export const route: Fields = [
  {
    name: "path",
    type: "path",
    id: 1,
    isRequired: true,
    since,
    meaning:
      "starts with `/`, compared with nginx's decoded, normalised URI, case-sensitive; of a `regex` a pattern of PCRE, compared without regard to case, at most 4096 bytes",
  },
  {
    name: "match",
    type: "match",
    id: 2,
    isRequired: true,
    since,
    meaning:
      '`prefix` by path elements: `/cart` matches `/cart`, `/cart/` and `/cart/x`, not `/cartoon`; `regex` as `location ~* "^PATH"` does, so at the start of the URI (of alternatives in no group, `/a|/b`, only the first is bound to it). As in nginx exact paths come first, then regexes in the order of the record, then the longest prefix',
  },
  {
    name: "policy",
    type: "label",
    id: 3,
    isRequired: true,
    since,
    meaning: "named location `@<policy>` of the server block",
  },
  {
    name: "backend",
    type: "label",
    id: 4,
    isRequired: true,
    since,
    meaning: "becomes `$proxy_upstream_name`",
  },
  { name: "namespace", type: "text", id: 5, since, meaning: "variable of the same name; default empty" },
  { name: "ingress_name", type: "text", id: 6, since, meaning: "likewise" },
  { name: "service_name", type: "text", id: 7, since, meaning: "likewise" },
  { name: "service_port", type: "text", id: 8, since, meaning: "likewise" },
  { name: "location_path", type: "text", id: 9, since, meaning: "likewise" },
  {
    name: "status",
    type: "status",
    id: 10,
    isCritical: true,
    since,
    meaning:
      "answered at once, after the redirects, in the policy's name (its error pages apply); nothing is proxied",
  },
  {
    name: "redirect",
    type: "redirect",
    id: 11,
    isCritical: true,
    since,
    meaning: "answered at once: `code` 300–308, `to` a template of at least one byte",
  },
  {
    name: "https_redirect",
    type: "redirect",
    id: 12,
    isCritical: true,
    since,
    meaning: "the same, for requests whose scheme is `http` only",
  },
  {
    name: "rewrite",
    type: "template",
    id: 13,
    isCritical: true,
    since,
    meaning:
      "takes the place of the URI's path, without escapes; the arguments stay, a `?` is a part of the path",
  },
  { name: "log_rewrite", type: "mark", id: 14, since, meaning: "the error log notes each rewrite" },
  {
    name: "variables",
    type: "variables",
    id: 15,
    isRepeated: true,
    since,
    meaning: "name (1–63 bytes of `[a-z0-9_]`) → template: what policies see as `$route_<name>`",
  },
  {
    name: "headers",
    type: "headers",
    id: 16,
    isRepeated: true,
    since,
    meaning:
      "response headers, each in the place of all of its name: `name` 1–253 bytes as of a cookie, `value` without control characters, literal. An empty value only removes. What frames a message (ingress-module.md) stays nginx's",
  },
  {
    name: "access",
    type: "access",
    id: 17,
    isCritical: true,
    since,
    meaning:
      "who may request the path, see ACCESS; absent: everybody. Looked at after the redirects, and before a status of 404 or 503, which stands in the place of a backend; other statuses come first",
  },
  {
    name: "cors",
    type: "cors",
    id: 18,
    since,
    meaning: "what pages of other origins may do (ingress-module.md), see below",
  },
  {
    name: "limits",
    type: "limits",
    id: 19,
    isCritical: true,
    since,
    meaning:
      "how much a client may request, see LIMITS; absent: any number. Looked at after the redirects, before `access`",
  },
  {
    name: "trace",
    type: "mark",
    id: 20,
    since,
    meaning: "requests are traced: the backend gets their context, and those that are sampled leave spans",
  },
  {
    name: "trace_begins",
    type: "mark",
    id: 21,
    since,
    meaning: "traces begin here, whatever context a client sends",
  },
  {
    name: "span_name",
    type: "template",
    id: 22,
    since,
    meaning: "of the request's span; absent: its method and `location_path`",
  },
  {
    name: "rewrite_raw",
    type: "mark",
    id: 23,
    since,
    meaning:
      "the groups of `rewrite` are those of the path as the client wrote it, with its escapes and slashes, and the result goes to the backend as it is; where the pattern does not match that path, `rewrite` is as without",
  },
  {
    name: "overrides",
    type: "overrides",
    since,
    meaning: "numbers in force instead of the policy's own; each optional, see below",
  },
]

/** What a route says about CORS; in its record one field with these. */
export const cors: Fields = [
  {
    name: "origins",
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
    type: "line",
    id: 2,
    isRequired: true,
    since,
    meaning: "value of `Access-Control-Allow-Methods`",
  },
  {
    name: "allow_headers",
    type: "line",
    id: 3,
    isRequired: true,
    since,
    meaning: "value of `Access-Control-Allow-Headers`",
  },
  {
    name: "expose_headers",
    type: "line",
    id: 4,
    since,
    meaning: "value of `Access-Control-Expose-Headers`; absent: that of the backend stays",
  },
  {
    name: "max_age",
    type: "line",
    id: 5,
    isRequired: true,
    since,
    meaning: "value of `Access-Control-Max-Age`",
  },
  {
    name: "credentials",
    type: "mark",
    id: 6,
    since,
    meaning: "`Access-Control-Allow-Credentials: true` is sent; else none is, not even the backend's",
  },
]

export const redirect: Fields = [
  { name: "code", type: "redirect_code", isRequired: true, since, meaning: "" },
  { name: "to", type: "template", isRequired: true, since, meaning: "" },
]

export const header: Fields = [
  { name: "name", type: "token", isRequired: true, since, meaning: "" },
  { name: "value", type: "text", isRequired: true, since, meaning: "" },
]

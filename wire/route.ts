import type { Fields } from "./field.ts"

// One path of a host and what serves it: docs/wire.md, ROUTE.

const since = "0.1.0"

export const route: Fields = [
  {
    name: "path",
    model: { meaning: "" },
    type: "path",
    id: 1,
    isRequired: true,
    since,
    meaning:
      "starts with `/`, compared with nginx's decoded, normalised URI, case-sensitive; of a `regex` a pattern of PCRE, compared without regard to case, at most 4096 bytes; of a `pattern` or `pattern_any_case` likewise, and it need not start with `/`. An `exact` path may start with `@`: no request is for it, and an ERROR_PAGE of a route of its namespace, or of the host, leads to it",
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
    name: "backend_tls",
    model: { meaning: "absent: as its location has it" },
    type: "backend_tls",
    id: 31,
    isCritical: true,
    since,
    meaning:
      "how backends are spoken to, see BACKEND_TLS, where the location speaks TLS; absent: as the location has it",
  },
  {
    name: "rule",
    model: { meaning: "what the object calls the rule; absent: it has no name" },
    type: "line",
    id: 59,
    since,
    meaning:
      "what the object of the Gateway API calls the rule, the label `rule` of its metrics (metrics.md); absent: it has no such label",
  },
  {
    name: "overrides",
    model: { isAlways: true, meaning: "" },
    type: "overrides",
    since,
    meaning: "numbers in force instead of the location's own; each optional, see below",
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
      "what is compared: the request's method, a header (several lines of one name are one value with commas between them), a query parameter (of several of one name the first), or the scheme by which it has come to nginx, `http` or `https`",
  },
  {
    name: "name",
    model: { meaning: "of the header or parameter; absent for a method or a scheme" },
    type: "line",
    id: 2,
    isCritical: true,
    since,
    meaning:
      "of the header, in any case, or of the parameter, without escapes; for these two required, for the others not allowed",
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

import type { Fields } from "./field.ts"

// What is done with requests and responses of a route, or of one of its backends: docs/wire.md, ROUTE.

const since = "0.1.0"

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
  {
    name: "backend_tls",
    model: { meaning: "goes with `location`" },
    type: "backend_tls",
    id: 6,
    isCritical: true,
    since,
    meaning: "as of a route, with the `location`, without which it has no effect",
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

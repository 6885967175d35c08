import type { Fields } from "./field.ts"

// Several backends of one route, of which each request has one: docs/wire.md, ROUTE.

const since = "0.1.0"

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
  {
    name: "backend_tls",
    model: { meaning: "in the place of the route's; absent: the route's, unless `location` is there" },
    type: "backend_tls",
    id: 11,
    isCritical: true,
    since,
    meaning:
      "as of the route, in the place of its own; absent: that of the route, unless there is a `location`",
  },
]

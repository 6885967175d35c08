import type { Fields } from "./field.ts"

// What pages of other origins may do: docs/wire.md, ROUTE.

const since = "0.1.0"

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

import type { Fields } from "./field.ts"

// A host, of which a record has its routes: docs/wire.md, HOST. What a route says is in route.ts and the files beside it.

const since = "0.1.0"

/** How a host is named that is removed. */
export const place: Fields = [
  {
    name: "host",
    model: {
      meaning:
        "lower-case: exact name, `*.rest` for one label in front, `**.rest` for one or more, or `_` for every other host",
    },
    type: "name",
    isRequired: true,
    since,
    meaning:
      "lower-case, at most 253 bytes of `[a-z0-9._-]`: exact, `*.rest` for one label in front, `**.rest` for one or more, or `_` for every other host. Exact comes first, then `*.rest`, then the longest `**.rest`",
  },
  {
    name: "server",
    model: { isAlways: true, meaning: "whose hosts they are: `sharedServer`, or `serverOf` a listener" },
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
    model: { meaning: "regexes are tried in this order" },
    type: "routes",
    id: 6,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "see ROUTE; none if there are parts, or for an alias",
  },
  {
    name: "parts",
    model: { isAbsent: true },
    type: "part_ids",
    id: 7,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "ids of ROUTE_PARTs; the host's routes are theirs, one part behind the other",
  },
  {
    name: "closed",
    model: {
      name: "isClosed",
      meaning: "in force only: all requests are answered 503, as what is wanted had no room",
    },
    type: "mark",
    id: 8,
    isCritical: true,
    since,
    meaning:
      "every request is answered 503, whatever else is said here: for what may not be served as it was and has no room as it is to be. This alone makes a record of 9 bytes, which has room in a full zone (abi.md)",
  },
  {
    name: "alias_of",
    model: {
      meaning: "host of the same server whose routes are this one's: it has none of its own then",
    },
    type: "host_name",
    id: 9,
    isCritical: true,
    since,
    meaning:
      "the host of the same server whose routes are this one's, which has none of its own then. One that is not there, is closed or is itself an alias closes this one",
  },
  {
    name: "script",
    model: {
      meaning:
        "run for every request before its route is looked for; it has one level at most, for what it answers. An alias has that of the other host",
    },
    type: "script",
    id: 10,
    isCritical: true,
    since,
    meaning:
      "steps that are run for every request before its route is looked for, as those of a server block, see SCRIPT; it has one level at most, in force for what they answer. An alias has that of the other host, and says none",
  },
  {
    name: "listener",
    model: {
      meaning:
        "of those listeners that share an address and a port the one whose host it is: a request by TLS for another is answered 421; absent: nobody asks",
    },
    type: "line",
    id: 11,
    isCritical: true,
    since,
    meaning:
      "whose host this is, of those listeners that share an address and a port: a request by TLS whose handshake was for another (TLS_HOST, `listener`) is answered 421; absent: for none in particular, and nobody asks",
  },
  {
    name: "client_certificate",
    model: { meaning: "what every request by TLS has to show" },
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

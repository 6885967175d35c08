import type { Fields } from "./field.ts"

// Who may request a path, and the lists of addresses and users that this goes by: docs/wire.md, ACCESS, ADDRESS_LIST and USER_LIST.

const since = "0.1.0"

/** The checks of a route. A further one is a critical field: who does not know it must not let anybody in. */
export const access: Fields = [
  {
    name: "allow",
    model: { meaning: "`AddressList.id`" },
    type: "id",
    id: 1,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST outside of which clients are refused",
  },
  {
    name: "deny",
    model: { meaning: "`AddressList.id`" },
    type: "id",
    id: 2,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST inside of which clients are refused, those of `allow` too",
  },
  {
    name: "satisfy",
    model: { type: '"any"', meaning: "absent: every kind of check has to let a request in" },
    type: "satisfy",
    id: 3,
    isCritical: true,
    since,
    meaning:
      "whether every kind of check has to let a request in, or one; addresses are one kind, a password is another. Default `all`",
  },
  {
    name: "basic",
    model: { meaning: "by Basic authentication (RFC 7617)" },
    type: "password",
    id: 4,
    isCritical: true,
    since,
    meaning: "clients have to send a user name and password (RFC 7617), see PASSWORD",
  },
  {
    name: "digest",
    model: { meaning: "the hashes of its users are HA1 of the realm" },
    type: "password",
    id: 5,
    isCritical: true,
    since,
    meaning:
      "clients have to prove that they know a password (RFC 7616), see PASSWORD; the hashes of its users are HA1 of this realm in hexadecimal digits, of MD5 or SHA-256",
  },
  {
    name: "external",
    model: { meaning: "" },
    type: "external_auth",
    id: 6,
    isCritical: true,
    since,
    meaning: "an authentication service is asked, see EXTERNAL_AUTH",
  },
  {
    name: "rules",
    model: { meaning: "the first that fits decides; where none does, nobody is refused" },
    type: "access_rules",
    id: 7,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "at most 1024, see ACCESS_RULE, of those whom `deny` and `allow` do not refuse: the first that fits decides; where none does, the client is not refused",
  },
  {
    name: "allow_countries",
    model: { meaning: "codes of ISO 3166-1; absent: all" },
    type: "countries",
    id: 8,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "countries (ISO 3166-1, two capital letters) outside of which clients are refused, at most 300; by the databases of `ingress_geoip`, as the next three: without one that says it, nobody is served",
  },
  {
    name: "deny_countries",
    model: { meaning: "codes of ISO 3166-1" },
    type: "countries",
    id: 9,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "countries whose clients are refused, likewise; those of `allow_countries` too",
  },
  {
    name: "allow_asns",
    model: { meaning: "numbers of autonomous systems; absent: all" },
    type: "as_numbers",
    id: 10,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "numbers of the autonomous systems outside of which clients are refused, at most 1024",
  },
  {
    name: "deny_asns",
    model: { meaning: "numbers of autonomous systems" },
    type: "as_numbers",
    id: 11,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "numbers of the autonomous systems whose clients are refused, likewise; those of `allow_asns` too",
  },
]

/** Who is let in, or refused. */
export const accessRule: Fields = [
  { name: "action", type: "access_action", isRequired: true, since, meaning: "" },
  {
    name: "from",
    model: { meaning: "`all`, `unix:` (by a socket of the file system), or a network as address/bits" },
    type: "access_from",
    isRequired: true,
    since,
    meaning:
      "`all`, `unix:`, by a socket of the file system, or a network as address/bits; IPv4 addresses are written as such",
  },
]

/** Whose passwords let a request in, and what the client is told that they are for. */
export const password: Fields = [
  {
    name: "users",
    model: { meaning: "`UserList.id`" },
    type: "id",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "id of the USER_LIST",
  },
  {
    name: "realm",
    model: { meaning: "shown by clients that ask for the password; literal, without control characters" },
    type: "text",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "at most 4096 bytes without control characters, may be empty; literal, quoted where it is sent",
  },
]

/** Which service is asked, what it is sent, and what comes of its answer. */
export const externalAuth: Fields = [
  {
    name: "location",
    model: { meaning: "named location that passes the question on" },
    type: "label",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "named location `@<location>` that passes the question on: `auth-http`, `auth-https`, or another",
  },
  {
    name: "backend",
    model: { meaning: "`Backend.name`" },
    type: "label",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "the service: becomes `$proxy_upstream_name` of the question",
  },
  {
    name: "target",
    model: { meaning: "template: path and query" },
    type: "template",
    id: 3,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "path and query of the question",
  },
  {
    name: "host",
    model: { meaning: "template: Host header, and the server's name in TLS unless the backend's has one" },
    type: "template",
    id: 4,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "its Host header, and the server's name in TLS unless the location goes by something else: ours takes what a backend's name of Gateways has behind an `@`",
  },
  {
    name: "method",
    model: { meaning: "absent: GET" },
    type: "token",
    id: 5,
    isCritical: true,
    since,
    meaning: "its method, default GET",
  },
  {
    name: "headers",
    model: {
      meaning: "sent with the question, in the place of the client's of that name; values are templates",
    },
    type: "headers",
    id: 6,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "sent with it, each in the place of the client's of that name: `value` is a template",
  },
  {
    name: "response_headers",
    model: { meaning: "names of the answer's headers that the backend gets" },
    type: "tokens",
    id: 7,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "headers of the answer that the backend gets, each in the place of the client's of that name",
  },
  {
    name: "signin",
    model: { meaning: "template: where a 401 leads to" },
    type: "template",
    id: 8,
    since,
    meaning: "URL to which a 401 leads (302); what tells it where to lead back to is a part of it",
  },
  {
    name: "request_redirect",
    model: { meaning: "template; absent: `$request_uri`" },
    type: "template",
    id: 9,
    since,
    meaning: "value of `X-Auth-Request-Redirect`, default `$request_uri`",
  },
  {
    name: "always_set_cookie",
    model: {
      name: "alwaysSetsCookie",
      type: "boolean",
      isAlways: true,
      meaning: "false: cookies of the answer go with successful responses and redirects only",
    },
    type: "mark",
    id: 10,
    since,
    meaning: "the answer's cookies go with responses of every status",
  },
  {
    name: "cache_key",
    model: { meaning: "template; absent: no answer is kept" },
    type: "template",
    id: 11,
    isCritical: true,
    since,
    meaning:
      "answers to requests of this route for which it becomes the same text may be kept; absent: none is",
  },
  {
    name: "cache_durations",
    model: { meaning: "" },
    type: "cache_durations",
    id: 12,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "for how long, by the status of the answer; 0 is every status that is not named",
  },
  {
    name: "is_filter",
    model: {
      name: "isFilter",
      meaning:
        "as the filter ExternalAuth of the Gateway API has it: the client's method, `requestHeaders` alone, and 200 lets in",
    },
    type: "mark",
    id: 13,
    isCritical: true,
    since,
    meaning:
      "the question has the client's method, `Host`, `Content-Length: 0`, and of the client's headers `Authorization` and `request_headers` alone; nothing but 200 lets in, 401 stays so, and everything else is 403. Without `response_headers` the backend gets all headers of the answer, but `Host` and what is about its connection and body. Its cookies go nowhere",
  },
  {
    name: "request_headers",
    model: { meaning: "names; with `isFilter`" },
    type: "tokens",
    id: 14,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "with `is_filter`: headers of the client that the service gets",
  },
  {
    name: "backend_tls",
    model: { meaning: "absent: its certificate is not looked at" },
    type: "backend_tls",
    id: 15,
    isCritical: true,
    since,
    meaning:
      "how it is spoken to, see BACKEND_TLS, where the location speaks TLS; by the name that the location has, not `$route_proxy_ssl_name`. Absent: as the location has it",
  },
]

export const cacheDuration: Fields = [
  {
    name: "status",
    model: { meaning: "0: every other" },
    type: "cached_status",
    isRequired: true,
    since,
    meaning: "",
  },
  { name: "seconds", type: "cache_seconds", isRequired: true, since, meaning: "" },
]

export const addressList: Fields = [
  { name: "id", type: "name", isRequired: true, since, meaning: "" },
  {
    name: "ranges",
    model: { meaning: "`address/bits`, masked, each once, in byte order; at least one" },
    type: "ranges",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "1 to 16384 networks as address/bits. IPv4 addresses are written as such, not mapped into IPv6",
  },
]

export const userList: Fields = [
  { name: "id", type: "name", isRequired: true, since, meaning: "" },
  {
    name: "users",
    model: { meaning: "each name once, in byte order; at least one" },
    type: "users",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning:
      "1 to 10000 users: `name` 1–255 bytes, of one name the first counts, `hash` 1–512 bytes as of crypt(3) and nginx, without control characters. A GET shows names, and of hashes the scheme that they begin with: `$2y$`, `{SHA}` or nothing",
  },
]

/** A user of a list. */
export const user: Fields = [
  { name: "name", type: "text", isRequired: true, since, meaning: "" },
  {
    name: "hash",
    model: { type: "SecretText", as: "secret", meaning: "as of crypt(3) and nginx" },
    type: "line",
    isRequired: true,
    since,
    meaning: "",
  },
]

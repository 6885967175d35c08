import type { Fields } from "./field.ts"

// A backend: docs/wire.md, BACKEND. Its posted form is that of ingress-nginx, every field but the name may be null; its record has fields of its own.

const since = "0.1.0"
const unposted = { isUnposted: true } as const

export const backend: Fields = [
  {
    name: "name",
    model: { meaning: "`<namespace>-<service>-<port name or number>`, as ingress-nginx names it" },
    type: "name",
    isRequired: true,
    since,
    meaning: "1–253 bytes, not starting with `:`",
  },
  {
    name: "load-balance",
    model: {
      name: "loadBalance",
      type: "LoadBalance",
      isAlways: true,
      meaning: "in force unless `affinity`, `hashBy` or `policy` is there",
    },
    type: "load_balance",
    since,
    meaning:
      "`round_robin` (default), `ewma`, `least_conn`, `p2c`, `custom` (with a `policy`). Any other name is round robin; so are `chash`, `chashsubset`, `sticky_balanced` and `sticky_persistent`, which follow from the settings that they need",
  },
  {
    name: "endpoints",
    model: { isAlways: true, meaning: "" },
    type: "endpoints",
    since,
    meaning: "see below",
  },
  { name: "service", model: unposted, type: "ignored", since, meaning: "without effect" },
  { name: "port", model: unposted, type: "ignored", since, meaning: "without effect" },
  { name: "sslPassthrough", model: unposted, type: "ignored", since, meaning: "without effect" },
  {
    name: "sessionAffinityConfig",
    model: { name: "affinity", meaning: "sessions; comes before `hashBy`" },
    type: "affinity",
    since,
    meaning: "comes before the hash, the hash before `load-balance`",
  },
  {
    name: "upstreamHashByConfig",
    model: { name: "hashBy" },
    type: "hash_by",
    since,
    meaning: "consistent hashing",
  },
  {
    name: "noServer",
    model: unposted,
    type: "flag",
    since,
    meaning: "in the record a flag of the head",
  },
  {
    name: "trafficShapingPolicy",
    model: {
      name: "shaping",
      meaning: "set: this is an alternative of another, and these requests are its",
    },
    type: "shaping",
    since,
    meaning:
      "of the alternative itself: when it takes the main backend's place. Without weight, header and cookie there is none",
  },
  {
    name: "alternativeBackends",
    model: {
      name: "alternatives",
      meaning:
        "names of the backends that may take its place (canaries), in the order in which they are asked",
    },
    type: "alternatives",
    id: 11,
    since,
    meaning:
      "names, none twice, in the order in which they are asked; those without endpoints are passed over, those without `trafficShapingPolicy` have their old sessions only",
  },
  {
    name: "slowStart",
    model: { isSpread: true },
    type: "slow_start",
    id: 17,
    since,
    meaning: "ours: an added endpoint's share grows",
  },
  {
    name: "outlierEjection",
    model: { meaning: "" },
    type: "outlier_ejection",
    id: 18,
    since,
    meaning: "ours: an endpoint that fails is ejected for a while",
  },
  {
    name: "policy",
    model: {
      meaning:
        "a Wasm module of somebody else that chooses instead; `loadBalance` where it does not come to it",
    },
    type: "policy",
    id: 20,
    since,
    meaning: "ours: somebody else's Wasm module, which `custom` asks (abi.md, Policies)",
  },
]

export const endpoint: Fields = [
  {
    name: "address",
    model: { meaning: "IPv4 or IPv6 literal without brackets" },
    type: "address",
    isRequired: true,
    since,
    meaning: "IPv4 or IPv6 literal, brackets optional, stored without",
  },
  {
    name: "port",
    model: { type: "number", as: "text", meaning: "1 to 65535" },
    type: "port",
    isRequired: true,
    since,
    meaning: "1–65535, string (as ingress-nginx) or number",
  },
  { name: "weight", model: unposted, type: "weight", since, meaning: "default 1" },
  {
    name: "zone",
    model: {
      type: '"ours" | "another"',
      meaning: "as seen from this controller; absent: not known, or of no use",
    },
    type: "zone",
    since,
    meaning:
      "ours, for policies: the endpoint is in the zone of this proxy, or in another; default `none`, not known",
  },
]

export const affinity: Fields = [
  {
    name: "name",
    model: { constant: "cookie" },
    type: "affinity_name",
    since,
    meaning: "`cookie`; anything else: none",
  },
  {
    name: "mode",
    model: { type: '"balanced" | "persistent"', isAlways: true, meaning: "" },
    type: "affinity_mode",
    since,
    meaning: "`persistent`; anything else: balanced",
  },
  {
    name: "cookieSessionAffinity",
    model: { name: "cookie", isAlways: true, meaning: "" },
    type: "cookie",
    since,
    meaning: "see below",
  },
]

export const cookie: Fields = [
  {
    name: "name",
    model: { isAlways: true, meaning: "" },
    type: "token",
    id: 3,
    since,
    meaning:
      "at most 253 bytes: letters, digits and ``!#$%&'*+-.^_`|~/:``. A cookie without a name is called `route`",
  },
  {
    name: "expires",
    model: { name: "expiresSeconds", type: "number", meaning: "seconds from now, may be negative" },
    type: "seconds",
    id: 5,
    since,
    meaning: "whole seconds as text or number, −10^11 to 10^11",
  },
  {
    name: "maxage",
    model: { name: "maxAgeSeconds", type: "number", meaning: "" },
    type: "seconds",
    id: 6,
    since,
    meaning: "likewise",
  },
  {
    name: "locations",
    model: unposted,
    type: "locations",
    id: 10,
    since,
    meaning:
      "as ingress-nginx posts it: host as its record is called (at most 253 bytes) → `location_path`s (each at most 65535 bytes) whose responses may issue the cookie, beside those of routes with the variable `session`",
  },
  {
    name: "sessions_of",
    model: {
      meaning:
        "`Backend.name` of the one whose sessions it takes part in; absent: its own. Routes say where sessions begin (`RouteVariables.session`)",
    },
    type: "attribute",
    id: 19,
    since,
    meaning:
      "ours: name of the backend whose sessions it takes part in, as a canary does; absent: its own. Routes whose variable `session` has this name may issue the cookie",
  },
  {
    name: "secure",
    model: { isAlways: true, meaning: "on plain HTTP too" },
    type: "cookie_flag",
    id: 4,
    bit: 1,
    since,
    meaning: "",
  },
  {
    name: "path",
    model: { meaning: "default: the path of the route" },
    type: "attribute",
    id: 8,
    since,
    meaning: "no semicolon",
  },
  { name: "domain", model: { meaning: "" }, type: "attribute", id: 7, since, meaning: "no semicolon" },
  {
    name: "samesite",
    model: { name: "sameSite", meaning: "" },
    type: "samesite",
    id: 9,
    since,
    meaning: "anything else: absent",
  },
  {
    name: "conditional_samesite_none",
    model: {
      name: "conditionalSameSiteNone",
      isAlways: true,
      meaning: "no `SameSite=None` for browsers that get it wrong",
    },
    type: "cookie_flag",
    id: 4,
    bit: 2,
    since,
    meaning: "",
  },
  {
    name: "change_on_failure",
    model: { isAlways: true },
    type: "cookie_flag",
    id: 4,
    bit: 4,
    since,
    meaning: "",
  },
]

export const hashBy: Fields = [
  {
    name: "upstream-hash-by",
    model: { name: "key", isAlways: true, meaning: "text with nginx's variables" },
    type: "text",
    id: 1,
    since,
    meaning: "template for `wick_expand` (abi.md); absent: no hashing",
  },
  {
    name: "upstream-hash-by-subset",
    model: { name: "subsetSize", as: "isThere", isAbsent: true },
    type: "flag",
    since,
    meaning: "",
  },
  {
    name: "upstream-hash-by-subset-size",
    model: {
      name: "subsetSize",
      meaning: "hash to a subset of so many endpoints and choose freely among those",
    },
    type: "subset_size",
    id: 2,
    since,
    meaning: "0 is 3",
  },
]

export const shaping: Fields = [
  {
    name: "weight",
    model: { isAlways: true, meaning: "of `weightTotal`; 0 or less: none" },
    type: "shaping_weight",
    id: 12,
    since,
    meaning: "≤ 0 none, 2^31−1 at most",
  },
  {
    name: "weightTotal",
    model: { isAlways: true, meaning: "below 100 counts as 100" },
    type: "shaping_total",
    id: 12,
    since,
    meaning: "below 100 counts as 100, 2^31−1 at most",
  },
  {
    name: "header",
    model: { meaning: "" },
    type: "token",
    id: 13,
    since,
    meaning: "as the name of a cookie",
  },
  {
    name: "headerValue",
    model: { meaning: "takes the place of the words `always` and `never`" },
    type: "text",
    id: 14,
    since,
    meaning: "",
  },
  {
    name: "headerPattern",
    model: { meaning: "regular expression of PCRE; without effect beside `headerValue`" },
    type: "text",
    id: 15,
    since,
    meaning: "",
  },
  {
    name: "cookie",
    model: { meaning: "" },
    type: "token",
    id: 16,
    since,
    meaning: "as the name of a cookie",
  },
]

export const slowStart: Fields = [
  {
    name: "window_ms",
    model: {
      name: "slowStartMs",
      meaning: "how long the share of an added endpoint grows, in milliseconds",
    },
    type: "window",
    isRequired: true,
    since,
    meaning: "over so many milliseconds",
  },
]

export const outlierEjection: Fields = [
  {
    name: "failures",
    model: { meaning: "" },
    type: "failures",
    isRequired: true,
    since,
    meaning: "so many failed attempts in a row",
  },
  {
    name: "ejection_ms",
    model: { meaning: "" },
    type: "window",
    isRequired: true,
    since,
    meaning: "for so many milliseconds",
  },
]

export const policy: Fields = [
  {
    name: "name",
    model: { meaning: "" },
    type: "policy_name",
    isRequired: true,
    since,
    meaning: "a DNS label",
  },
  {
    name: "digest",
    model: { meaning: "SHA-256 of its module, 64 hex digits" },
    type: "digest",
    isRequired: true,
    since,
    meaning: "SHA-256 of the module in 64 hexadecimal digits, lower case: what is compiled has this name",
  },
  {
    name: "config",
    model: { as: "filled", isAlways: true, meaning: 'what it is configured with; "" is nothing' },
    type: "policy_config",
    id: 21,
    since,
    meaning: "what the policy reads as its configuration for this backend, at most 16384 bytes",
  },
  {
    name: "needs",
    model: { isAlways: true, meaning: 'bits of docs/abi.md, "Policies"' },
    type: "policy_needs",
    id: 22,
    since,
    meaning:
      "sum of what the policy declares: 1 attempts that run, 2 times, 4 to be told how attempts end, 8 shared numbers of its own, 16 zones. Default 0",
  },
]

/** Fields of the record: its settings. */
export const settings: Fields = [
  { name: "hash_key", type: "text", id: 1, since, meaning: "a template" },
  { name: "subset_size", type: "subset_size", id: 2, since, meaning: "" },
  { name: "cookie_name", type: "token", id: 3, since, meaning: "" },
  { name: "cookie_flags", type: "cookie_flags", id: 4, since, meaning: "" },
  { name: "cookie_expires", type: "seconds", id: 5, since, meaning: "" },
  { name: "cookie_max_age", type: "seconds", id: 6, since, meaning: "" },
  { name: "cookie_domain", type: "attribute", id: 7, since, meaning: "" },
  { name: "cookie_path", type: "attribute", id: 8, since, meaning: "" },
  { name: "cookie_samesite", type: "samesite", id: 9, since, meaning: "" },
  {
    name: "cookie_location",
    type: "locations",
    id: 10,
    isRepeated: true,
    since,
    meaning: "of a host that has paths",
  },
  { name: "alternative", type: "alternatives", id: 11, isRepeated: true, since, meaning: "" },
  {
    name: "shaping_weight",
    type: "shaping_weights",
    id: 12,
    since,
    meaning: "there if `trafficShapingPolicy` takes something",
  },
  { name: "shaping_header", type: "token", id: 13, since, meaning: "" },
  { name: "shaping_header_value", type: "text", id: 14, since, meaning: "" },
  { name: "shaping_header_pattern", type: "text", id: 15, since, meaning: "" },
  { name: "shaping_cookie", type: "token", id: 16, since, meaning: "" },
  { name: "slow_start", type: "window", id: 17, since, meaning: "window" },
  { name: "outlier_ejection", type: "ejection", id: 18, since, meaning: "" },
  { name: "sessions_of", type: "attribute", id: 19, since, meaning: "" },
  { name: "policy", type: "policy_version", id: 20, since, meaning: "without it `custom` is round robin" },
  { name: "policy_config", type: "policy_config", id: 21, since, meaning: "" },
  { name: "policy_needs", type: "policy_needs", id: 22, since, meaning: "" },
  { name: "endpoint_zones", type: "endpoint_zones", id: 23, since, meaning: "there if a zone is known" },
]

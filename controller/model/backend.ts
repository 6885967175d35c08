// Printed by `npm run wire` from wire/: change it there.

import type { loadBalances } from "./words.ts"

/** One Service port and the endpoints behind it, with how they are chosen. Field meanings and ranges: docs/wire.md, BACKEND. */
export interface Backend {
  /** `<namespace>-<service>-<port name or number>`, as ingress-nginx names it */
  readonly name: string
  /** in force unless `affinity`, `hashBy` or `policy` is there */
  readonly loadBalance: LoadBalance
  readonly endpoints: readonly Endpoint[]
  /** sessions; comes before `hashBy` */
  readonly affinity?: CookieAffinity
  /** consistent hashing */
  readonly hashBy?: HashBy
  /** set: this is an alternative of another, and these requests are its */
  readonly shaping?: TrafficShaping
  /** names of the backends that may take its place (canaries), in the order in which they are asked */
  readonly alternatives?: readonly string[]
  /** how long the share of an added endpoint grows, in milliseconds */
  readonly slowStartMs?: number
  readonly outlierEjection?: OutlierEjection
  /** a Wasm module of somebody else that chooses instead; `loadBalance` where it does not come to it */
  readonly policy?: BackendPolicy
}

/** Where requests can be sent. */
export interface Endpoint {
  /** IPv4 or IPv6 literal without brackets */
  readonly address: string
  /** 1 to 65535 */
  readonly port: number
  /** as seen from this controller; absent: not known, or of no use */
  readonly zone?: "ours" | "another"
}

/** Sessions by a cookie. */
export interface CookieAffinity {
  readonly mode: "balanced" | "persistent"
  readonly cookie: AffinityCookie
}

/** The cookie of sessions. */
export interface AffinityCookie {
  readonly name: string
  /** seconds from now, may be negative */
  readonly expiresSeconds?: number
  readonly maxAgeSeconds?: number
  /** `Backend.name` of the one whose sessions it takes part in; absent: its own. Routes say where sessions begin (`RouteVariables.session`) */
  readonly sessionsOf?: string
  /** on plain HTTP too */
  readonly secure: boolean
  /** default: the path of the route */
  readonly path?: string
  readonly domain?: string
  readonly sameSite?: "None" | "Lax" | "Strict"
  /** no `SameSite=None` for browsers that get it wrong */
  readonly conditionalSameSiteNone: boolean
  readonly changeOnFailure: boolean
}

/** Consistent hashing. */
export interface HashBy {
  /** text with nginx's variables */
  readonly key: string
  /** hash to a subset of so many endpoints and choose freely among those */
  readonly subsetSize?: number
}

/** Which requests an alternative takes: by header, else by cookie, else by chance. */
export interface TrafficShaping {
  /** of `weightTotal`; 0 or less: none */
  readonly weight: number
  /** below 100 counts as 100 */
  readonly weightTotal: number
  readonly header?: string
  /** takes the place of the words `always` and `never` */
  readonly headerValue?: string
  /** regular expression of PCRE; without effect beside `headerValue` */
  readonly headerPattern?: string
  readonly cookie?: string
}

/** After `failures` failed attempts in a row an endpoint is ejected for `ejectionMs`. */
export interface OutlierEjection {
  readonly failures: number
  readonly ejectionMs: number
}

/** The balancing policy that chooses. */
export interface BackendPolicy {
  readonly name: string
  /** SHA-256 of its module, 64 hex digits */
  readonly digest: string
  /** what it is configured with; "" is nothing */
  readonly config: string
  /** bits of docs/abi.md, "Policies" */
  readonly needs: number
}

export type LoadBalance = (typeof loadBalances)[number]

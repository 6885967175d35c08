import type { Problem } from "../../../model/problem.ts"
import type { Route } from "../../../model/route.ts"
import type { NameWishes } from "../hosts/other-names.ts"
import type { TlsClaim } from "../tls/claim.ts"
import type { Balancing } from "./balancing.ts"
import type { ClientWish } from "./client-certificates.ts"
import type { Proxying } from "./proxying.ts"
import type { Treatment } from "./treatment.ts"

// What an Ingress asks for, in words of its own: nothing here knows what other Ingresses ask for or what stands behind a Service.

/** Everything that one Ingress asks for. What a canary asks for is a share of what others have (canaries.ts). */
export interface IngressClaims {
  /** `namespace/name` of the Ingress */
  readonly name: string
  readonly createdMs: number
  /** `/` of every host that this Ingress is the first to mention, unless a rule says otherwise */
  readonly root: RouteClaim
  /** it has a default backend and no rules: its root is a claim on every other host */
  readonly isCatchAll: boolean
  readonly rules: readonly RuleClaim[]
  readonly names: NameWishes
  readonly tls: TlsClaim
  /** `namespace/name` of the Secrets for TLS that its annotations name */
  readonly secrets: readonly string[]
  /** absent: it wants nothing of clients */
  readonly clients?: ClientWish
  /** TLS for its hosts is to be passed through; where it says so, for Problems */
  readonly passing?: { readonly field: string }
  readonly problems: readonly Problem[]
}

export interface RuleClaim {
  /** lower-case and checked; `_` for a rule without host */
  readonly host: string
  readonly routes: readonly RouteClaim[]
}

/** One path of one rule. */
export interface RouteClaim {
  readonly namespace: string
  /** "" only for the `/` of `_` that no Ingress asked for */
  readonly ingressName: string
  /** where it stands in the Ingress, for Problems */
  readonly field: string
  readonly path: string
  readonly match: Route["match"]
  /** path and match in one: two claims on one host with the same key are in conflict */
  readonly key: string
  /** absent: the default backend */
  readonly backend?: BackendRef
  readonly treatment: Treatment
  // the same objects in all claims of an Ingress
  readonly proxying: Proxying
  readonly balancing: Balancing
}

/** A Service port as an Ingress names it. */
export interface BackendRef {
  /** names this Service port and no other: `namespace/service:port` */
  readonly key: string
  /** `namespace/service`, as in the snapshot */
  readonly serviceKey: string
  readonly service: string
  /** number or name; "" when the Ingress names none, `*` for the first */
  readonly port: string
  /** as ingress-nginx names the backend, also where no port is given; not always unique */
  readonly shortName: string
}

/** The last blank of the key ends the path, whatever that holds. */
export function place(path: string, match: Route["match"]): Pick<RouteClaim, "path" | "match" | "key"> {
  return { path, match, key: `${path} ${match}` }
}

/** A Service of which the first port is meant, whatever that is. */
export function firstPortRef(namespace: string, service: string): BackendRef {
  const serviceKey = `${namespace}/${service}`
  const shortName = `custom-default-backend-${namespace}-${service}`
  return { key: `${serviceKey}:*`, serviceKey, service, port: "*", shortName }
}

export function backendRef(namespace: string, service: string, port: string): BackendRef {
  const serviceKey = `${namespace}/${service}`
  const shortName = port === "" ? `${namespace}-INVALID` : `${namespace}-${service}-${port}`
  return { key: `${serviceKey}:${port}`, serviceKey, service, port, shortName }
}

/** All claims of an Ingress, in its own order. */
export function routesOf({ root, rules }: IngressClaims): readonly RouteClaim[] {
  return [root, ...rules.flatMap(({ routes }) => routes)]
}

/** The hosts that an Ingress mentions, each once. */
export function hostsOf({ isCatchAll, rules }: IngressClaims): ReadonlySet<string> {
  return new Set(isCatchAll ? ["_"] : rules.map(({ host }) => host))
}

import type { Problem } from "../model/problem.ts"
import type { Host, Route } from "../model/route.ts"
import { defaultBackendName, type ResolvedBackend } from "./backends.ts"
import type { RouteClaim } from "./claims.ts"
import type { HostDemand } from "./hosts.ts"
import { rememberedLast } from "./memo.ts"
import { complaint } from "./problems.ts"

/** Where claims lead in this snapshot. */
export interface Targets {
  /** by `BackendRef.key` */
  readonly backends: ReadonlyMap<string, ResolvedBackend>
  /** absent: there is none */
  readonly defaultBackend?: ResolvedBackend | undefined
}

type Target = Pick<Route, "backend" | "status">

const lastHost = rememberedLast<HostDemand, Host>()

/** The record of a host. The same object as before unless a backend got its first endpoint, lost its last, or changed its name. */
export function hostOf(demand: HostDemand, targets: Targets): Host {
  const found = demand.routes.map((claim) => targetOf(claim, targets))
  const inputs = found.flatMap((target) => [target.backend, target.status])
  return lastHost(demand, inputs, () => ({
    server: "main",
    host: demand.host,
    routes: demand.routes.map((claim, at) => routeOf(claim, found[at] ?? targetOf(claim, targets))),
  }))
}

/** What is wrong with the Services that claims name; once for each claim. */
export function faultsOf(demands: readonly HostDemand[], { backends }: Targets): Problem[] {
  const claims = new Map<RouteClaim, Problem>()
  for (const { routes } of demands) {
    for (const claim of routes) {
      const fault = claim.backend && backends.get(claim.backend.key)?.fault
      if (fault !== undefined) claims.set(claim, aboutBackend(claim, fault))
    }
  }
  return [...claims.values()]
}

/** Without endpoints a route answers 503 at once, without a default backend 404. */
function targetOf({ backend: ref }: RouteClaim, { backends, defaultBackend }: Targets): Target {
  const resolved = ref === undefined ? defaultBackend : backends.get(ref.key)
  if (resolved === undefined) return { backend: defaultBackendName, status: 404 }
  const { name, endpoints } = resolved.backend
  return endpoints.length === 0 ? { backend: name, status: 503 } : { backend: name }
}

function routeOf(claim: RouteClaim, target: Target): Route {
  return {
    path: claim.path,
    match: claim.match,
    policy: claim.policy.name,
    ...target,
    namespace: claim.namespace,
    ingressName: claim.ingressName,
    serviceName: claim.backend?.service ?? "",
    servicePort: claim.backend?.port ?? "",
    locationPath: claim.path,
    overrides: claim.overrides,
  }
}

function aboutBackend(claim: RouteClaim, fault: string): Problem {
  const object = { kind: "Ingress", namespace: claim.namespace, name: claim.ingressName }
  return complaint(object, `${claim.field}.backend.service`, "backend-unusable", `${fault}; requests get 503`)
}

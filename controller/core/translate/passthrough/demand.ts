import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { byText } from "../../../support/order.ts"
import type { HostDemand } from "../hosts/hosts.ts"
import { type BackendRef, hostsOf, type IngressClaims, type RouteClaim } from "../ingress/claim.ts"
import { claimProblem } from "../problems.ts"

/** A host whose TLS connections are to be passed through. */
export interface PassthroughDemand {
  readonly host: string
  /** the oldest that asks for it */
  readonly by: IngressClaims
  /** of the host's `/`, whoever has it */
  readonly backend: BackendRef
}

export interface PassthroughDemands {
  /** by host */
  readonly all: readonly PassthroughDemand[]
  readonly problems: readonly Problem[]
}

/**
 * Which hosts are passed through: those of any Ingress that asks for it, to the Service of their `/` (behaviour of ingress-nginx).
 *
 * @param asking the Ingresses that ask, the oldest first
 */
export function passthroughDemands(
  asking: readonly IngressClaims[],
  findHost: (host: string) => HostDemand | undefined,
): PassthroughDemands {
  const all = new Map<string, PassthroughDemand>()
  const problems: Problem[] = []
  for (const by of asking) {
    for (const host of hostsOf(by)) {
      const demand = findHost(host)
      if (all.has(host) || demand === undefined) continue
      const backend = backendOf(demand, by, problems)
      if (backend === undefined) continue
      all.set(host, { host, by, backend })
      problems.push(...passedBy(demand, by, backend), ...unasked(demand, by))
    }
  }
  return { all: [...all.values()].sort(byText(({ host }) => host)), problems }
}

function backendOf({ host, routes }: HostDemand, by: IngressClaims, problems: Problem[]) {
  const refuse = (code: ProblemCode, reason: string) => {
    problems.push(passthroughProblem({ host, by }, code, reason))
    return undefined
  }
  if (host.startsWith("*") || host === "_")
    return refuse(
      "passthrough-of-wildcard",
      "write a whole host, it is compared with the one that clients name",
    )
  const root = routes.find(({ path, backend }) => path === "/" && backend !== undefined)
  return root?.backend ?? refuse("passthrough-without-service", 'no rule has a Service for its path "/"')
}

/** Connections have no paths: what stands beside `/` is for plain HTTP alone. */
function passedBy(
  { host, routes }: HostDemand,
  by: IngressClaims,
  { serviceKey }: BackendRef,
): readonly Problem[] {
  return routes.filter(isOwnPath).map((claim) => {
    const message = `Path ${shown(claim.path)} of host ${shown(host)} gets no requests that come by TLS: as annotation "ssl-passthrough" of Ingress "${by.name}" asks, all TLS connections for the host go to Service ${shown(serviceKey)}`
    return claimProblem(claim, `${claim.field}.path`, "path-passed-by", message)
  })
}

/** What nginx would ask clients for, nobody is asked for whose connection it does not decrypt. */
function unasked({ host, clients }: HostDemand, by: IngressClaims): readonly Problem[] {
  if (clients === undefined) return []
  const message = `Clients of host ${shown(host)} are not asked for certificates, as its annotation "auth-tls-secret" wants: TLS connections go to a Service as they are, which has to ask by itself`
  return [claimProblem(by.root, by.passing?.field ?? "metadata", "clients-not-asked", message)]
}

function isOwnPath({ path, backend }: RouteClaim): boolean {
  return path !== "/" && backend !== undefined
}

/** @param reason goes on after a colon */
export function passthroughProblem(
  { host, by }: Pick<PassthroughDemand, "host" | "by">,
  code: ProblemCode,
  reason: string,
): Problem {
  const name = host === "_" ? "every other host" : `host ${shown(host)}`
  const message = `Cannot pass TLS connections for ${name} through: ${reason}; nginx decrypts them`
  return claimProblem(by.root, by.passing?.field ?? "metadata", code, message)
}

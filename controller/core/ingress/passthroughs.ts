import { fieldPath } from "../../model/field-path.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import { compareText } from "../../support/order.ts"
import type { BackendRef } from "../declared/backend-ref.ts"
import type { DeclaredPassthrough } from "../declared/passthrough.ts"
import { passthroughProblem } from "../declared/passthrough.ts"
import { hostText, ruleProblem } from "../declared/problems.ts"
import type { MergedHost } from "./hosts/merged-host.ts"
import { isForeign, ownedText } from "./hosts/ownership.ts"
import { hostsOf, type ParsedIngress } from "./parsed/parsed-ingress.ts"
import type { ParsedRoute } from "./parsed/parsed-route.ts"

export interface MergedPassthroughs {
  /** by host */
  readonly all: readonly DeclaredPassthrough[]
  readonly problems: readonly Problem[]
}

/**
 * Which hosts are passed through: those of any Ingress of their owner that asks for it, to the Service of their `/` (behaviour of ingress-nginx).
 *
 * @param asking the Ingresses that ask, the oldest first
 */
export function mergePassthroughs(
  asking: readonly ParsedIngress[],
  findHost: (host: string) => MergedHost | undefined,
): MergedPassthroughs {
  const all = new Map<string, DeclaredPassthrough>()
  const problems: Problem[] = []
  for (const by of asking) {
    for (const host of hostsOf(by)) {
      const merged = findHost(host)
      if (merged === undefined) continue
      const foreign = unheard(merged, by)
      if (foreign !== undefined) problems.push(foreign)
      if (foreign !== undefined || all.has(host)) continue
      const backend = backendOf(merged, by, problems)
      if (backend === undefined) continue
      all.set(host, { host, ...askedBy(by), backend })
      problems.push(...passedBy(merged, by, backend), ...unasked(merged, by))
    }
  }
  return { all: [...all.values()].sort((a, b) => compareText(a.host, b.host)), problems }
}

/** Another namespace than the owner's has no say in where the host's connections go. */
function unheard({ host, owner }: MergedHost, { root, passthrough }: ParsedIngress): Problem | undefined {
  if (owner === undefined || !isForeign(root, owner)) return undefined
  const message = `Annotation "ssl-passthrough" has no effect for ${hostText(host)}: ${ownedText(owner)}`
  return ruleProblem(root, passthrough?.field ?? "metadata", "host-owned", message)
}

function backendOf({ host, owner, routes }: MergedHost, by: ParsedIngress, problems: Problem[]) {
  const refuse = (code: ProblemCode, reason: string) => {
    problems.push(passthroughProblem({ host, ...askedBy(by) }, code, reason))
    return undefined
  }
  if (host.startsWith("*") || host === "_")
    return refuse(
      "passthrough-of-wildcard",
      "write a whole host, it is compared with the one that clients name",
    )
  const root = routes.find(
    (route) => route.path === "/" && route.backend !== undefined && !isForeign(route, owner),
  )
  return root?.backend ?? refuse("passthrough-without-service", 'no rule has a Service for its path "/"')
}

/** Connections have no paths: all others than `/` are for plain HTTP alone. */
function passedBy(
  { host, routes }: MergedHost,
  by: ParsedIngress,
  { serviceKey }: BackendRef,
): readonly Problem[] {
  return routes.filter(isOwnPath).map((route) => {
    const message = `Path ${shown(route.path)} of host ${shown(host)} gets no HTTPS requests: annotation "ssl-passthrough" of Ingress "${by.name}" sends all TLS connections for the host to Service ${shown(serviceKey)}`
    return ruleProblem(route, fieldPath(route.field, "path"), "path-passed-by", message)
  })
}

/** nginx cannot ask for certificates on connections that it does not decrypt. */
function unasked({ host, clients }: MergedHost, by: ParsedIngress): readonly Problem[] {
  if (clients === undefined) return []
  const message = `Clients of host ${shown(host)} are not asked for certificates, although annotation "auth-tls-secret" is set: annotation "ssl-passthrough" hands TLS connections on undecrypted, so the Service has to ask`
  return [ruleProblem(by.root, by.passthrough?.field ?? "metadata", "clients-not-asked", message)]
}

function isOwnPath({ path, backend }: ParsedRoute): boolean {
  return path !== "/" && backend !== undefined
}

function askedBy({ root, passthrough }: ParsedIngress): Pick<DeclaredPassthrough, "source" | "field"> {
  return { source: root.source, field: passthrough?.field ?? "metadata" }
}

import type { ZoneName } from "../../../model/http/processes.ts"
import type { ObjectName, Problem } from "../../../model/problem.ts"
import type { Route } from "../../../model/route.ts"
import { getOrMake } from "../../../support/maps.ts"
import { backendsNamedBy } from "./backend-shares.ts"
import { wantedBytes } from "./grant.ts"
import { routeBytes } from "./record-bytes.ts"
import type { HostPart } from "./route-shares.ts"
import { isOfBackends, isOfHandshakes } from "./tls-shares.ts"
import type { Accounts, OverShare } from "./within-shares.ts"

/** What becomes of what does not fit. */
const effects: Readonly<Record<ZoneName, string>> = {
  routes: "paths that do not fit get 503",
  backends: "requests to Services that do not fit get 503",
  certificates:
    "hosts that do not fit show the default certificate, whoever has to show one to them is refused, and paths whose backends' certificates do not fit get 503",
  passthroughs: "connections for hosts that do not fit are not passed through",
}

/** One for each namespace and zone, of the Ingress that uses most. */
export function shareProblems(over: readonly OverShare[], accounts: Accounts): readonly Problem[] {
  return over.map((one) => {
    const { zone, namespace, wantedBytes, shareBytes } = one
    const [name, bytes] = largestIngress(one, accounts)
    const object = name === undefined ? namespaceName(namespace) : { kind: "Ingress", namespace, name }
    const most =
      name === undefined ? "" : `; the largest part of it, ${kibibytes(bytes)}, is for this Ingress`
    const wants = `Namespace "${namespace}" wants ${kibibytes(wantedBytes)} of zone "${zone}"${most}`
    const message = `${wants}. Its share is ${kibibytes(shareBytes)} (keys "zone-share" and "max-zone-size" of the ConfigMap): ${effects[zone]}`
    return { object, field: "spec", code: "over-share", message }
  })
}

function namespaceName(name: string): ObjectName {
  return { kind: "Namespace", namespace: "", name }
}

/** Undefined where no route of the namespace has to do with it. */
function largestIngress(over: OverShare, accounts: Accounts): readonly [string | undefined, number] {
  const all = [...bytesByIngress(over, accounts)].sort(
    ([a, few], [b, many]) => many - few || (a < b ? -1 : 1),
  )
  return all[0] ?? [undefined, 0]
}

function bytesByIngress({ zone, namespace }: OverShare, accounts: Accounts): ReadonlyMap<string, number> {
  const parts = accounts.routes.byOwner.get(namespace) ?? []
  const sums = new Map<string, number>()
  const add = (name: string, bytes: number) => sums.set(name, (sums.get(name) ?? 0) + bytes)
  if (zone === "routes") {
    for (const route of routesOf(parts)) add(route.ingressName, routeBytes(route))
    return sums
  }
  if (zone === "certificates")
    for (const item of (accounts.certificates.byOwner.get(namespace) ?? []).filter(isOfBackends))
      add(item.of.ingressName, wantedBytes([item]))
  const users = zone === "backends" ? ingressesByBackend(parts) : ingressesByHost(parts)
  for (const [name, bytes] of thingsOf(zone, namespace, accounts))
    for (const ingress of users.get(name) ?? []) add(ingress, bytes)
  return sums
}

function thingsOf(
  zone: Exclude<ZoneName, "routes">,
  namespace: string,
  { backends, certificates, passthroughs }: Accounts,
): readonly (readonly [string, number])[] {
  switch (zone) {
    case "backends":
      return (backends.byOwner.get(namespace) ?? []).map(({ backend, bytes }) => [backend.name, bytes])
    case "certificates":
      return (certificates.byOwner.get(namespace) ?? [])
        .filter(isOfHandshakes)
        .map((item) => [item.of.host, wantedBytes([item])])
    case "passthroughs":
      return (passthroughs.byOwner.get(namespace) ?? []).map((it) => [it.passthrough.host, it.bytes])
    default:
      return zone satisfies never
  }
}

function routesOf(parts: readonly HostPart[]): readonly Route[] {
  return parts.flatMap(({ routes }) => routes)
}

function ingressesByBackend(parts: readonly HostPart[]): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>()
  for (const route of routesOf(parts))
    for (const name of backendsNamedBy(route)) getOrMake(users, name, () => new Set()).add(route.ingressName)
  return users
}

function ingressesByHost(parts: readonly HostPart[]): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>()
  for (const { host, routes } of parts)
    for (const { ingressName } of routes) getOrMake(users, host.host, () => new Set()).add(ingressName)
  return users
}

/** In whole kibibytes, so that the sentence stays the same while little changes. */
function kibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024).toLocaleString("en-US")} KiB`
}

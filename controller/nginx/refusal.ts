import type { Backend } from "../model/backend.ts"
import type { Live } from "../model/model.ts"
import type { ObjectName, Problem } from "../model/problem.ts"
import type { Host } from "../model/route.ts"
import type { HostName } from "../plan/plan.ts"
import type { Item } from "./wire.ts"

/** An item that the data plane does not take. Everything else of the change is in force, and so is what the item was before. */
export interface Refusal {
  readonly item: Item
  /** 400 malformed, 413 too large, 507 no room left */
  readonly status: number
  /** the data plane's own sentence */
  readonly reason: string
}

/** What each refusal means for the user: a Problem of an Ingress that it concerns. @param wanted the live half that was to be in force */
export function problemsOf(refusals: readonly Refusal[], wanted: Live): Problem[] {
  return refusals.map((refusal) => problemOf(refusal, wanted))
}

function problemOf({ item, status, reason }: Refusal, wanted: Live): Problem {
  const code = status === 507 ? "no-room" : "refused"
  if (typeof item.name === "string") {
    const message = `Cannot serve backend "${item.name}": ${reason}`
    return { object: ownerOfBackend(item.name, wanted), field: "spec", code, message }
  }
  const message = `Cannot serve host "${item.name.host}": ${reason}`
  return { object: ownerOfHost(item.name, wanted), field: "spec.rules", code, message }
}

function ownerOfHost(name: HostName, { hosts }: Live): ObjectName {
  const host = hosts.find((candidate) => isSame(candidate, name))
  return ownerOf(host?.routes[0]) ?? { kind: "Host", namespace: "", name: name.host }
}

function ownerOfBackend(name: string, { hosts }: Live): ObjectName {
  for (const { routes } of hosts) {
    const owner = ownerOf(routes.find((route) => route.backend === name))
    if (owner) return owner
  }
  return { kind: "Backend", namespace: "", name }
}

function ownerOf(route: Host["routes"][number] | undefined): ObjectName | undefined {
  return route && { kind: "Ingress", namespace: route.namespace, name: route.ingressName }
}

/**
 * The live half in force when `refusals` were refused on the way from `running` to `wanted`: what they were before, or nothing. A record that
 * may or may not be there is noted as an empty one, so that the next plan sets or removes it.
 */
export function withoutRefused(running: Live, wanted: Live, refusals: readonly Refusal[]): Live {
  if (refusals.length === 0) return wanted
  const refused = new Set(refusals.map(({ item }) => keyOf(item.name)))
  const oldBackends = new Map(running.backends.map((backend) => [backend.name, backend]))
  const oldHosts = new Map(running.hosts.map((host) => [keyOf(host), host]))
  return {
    backends: wanted.backends.map((backend) =>
      refused.has(backend.name) ? (oldBackends.get(backend.name) ?? emptyBackend(backend)) : backend,
    ),
    hosts: wanted.hosts.map((host) =>
      refused.has(keyOf(host)) ? (oldHosts.get(keyOf(host)) ?? { ...host, routes: [] }) : host,
    ),
  }
}

function emptyBackend(backend: Backend): Backend {
  return { ...backend, endpoints: [] }
}

/** No backend has a `/` in its name. */
function keyOf(name: string | HostName): string {
  return typeof name === "string" ? name : `${name.server}/${name.host}`
}

function isSame(a: HostName, b: HostName): boolean {
  return a.server === b.server && a.host === b.host
}

import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { qualifiedName } from "../../../controller/model/objects/object.ts"
import type { ObjectName } from "../../../controller/model/problem.ts"
import { type Host, isPattern, type Route } from "../../../controller/model/route.ts"
import { routeSourceOf } from "../../../controller/model/route-source.ts"
import type { DiffRequest } from "../requests/request.ts"

/** What Ingresses come to, by the translation. */
export interface Served {
  readonly hosts: readonly Host[]
  readonly ingresses: readonly Ingress[]
}

/** Finds the Ingresses that a request has to do with: the one it was made for and the one whose route it takes, or else all of its host. */
export function ingressFinder({ hosts, ingresses }: Served): (request: DiffRequest) => readonly ObjectName[] {
  const byName = new Map(hosts.map((host) => [host.host, host]))
  const ofHost = Map.groupBy(
    ingresses.flatMap((it) => it.rules.map(({ host }) => ({ host: host.toLowerCase(), it }))),
    ({ host }) => host,
  )
  return (request) => {
    const names = [request.host, request.host.replace(/^[^.]*/, "*"), "_"]
    const host = names.map((name) => byName.get(name)).find((it) => it !== undefined)
    const route = host && routeFor(host.routes, request.target)
    const found = [
      ...(request.ingress === undefined ? [] : [request.ingress]),
      ...(route === undefined || route.ingressName === "" ? [] : [routeSourceOf(route)]),
    ]
    if (found.length > 0) return distinct(found)
    const all = names.map((name) => ofHost.get(name === "_" ? "" : name)).find((it) => it !== undefined) ?? []
    return distinct(
      all.map(({ it: { meta } }) => ({ kind: "Ingress", namespace: meta.namespace, name: meta.name })),
    )
  }
}

/** Exact before a final prefix before patterns before the longest prefix, as nginx has it. */
function routeFor(routes: readonly Route[], target: string): Route | undefined {
  const path = decoded(target.replace(/[?#].*/s, ""))
  const exact = routes.find((it) => it.match === "exact" && it.path === path)
  const prefixes = routes.filter((it) => it.match !== "exact" && !isPattern(it) && path.startsWith(it.path))
  const [longest] = prefixes.sort((a, b) => b.path.length - a.path.length)
  if (exact !== undefined || longest?.match === "string_prefix_final") return exact ?? longest
  return routes.find((it) => isPattern(it) && matches(it, path)) ?? longest
}

/** PCRE's own words are no words of JavaScript: such a pattern is passed by. */
function matches({ match, path: pattern }: Route, path: string): boolean {
  try {
    const start = match === "regex" ? "^" : ""
    return new RegExp(`${start}${pattern}`, match === "pattern" ? "" : "i").test(path.slice(0, 1000))
  } catch {
    return false
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function distinct(names: readonly ObjectName[]): readonly ObjectName[] {
  return [...new Map(names.map((name) => [qualifiedName(name), name])).values()]
}

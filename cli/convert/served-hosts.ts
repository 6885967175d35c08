import { sharedServer } from "../../controller/model/listener.ts"
import type { Host, Route } from "../../controller/model/route.ts"

/** What the translation makes of the hosts of Ingresses, by their names as Ingresses write them: lower-case, "" for all others. */
export interface ServedHosts {
  readonly routes: (host: string) => readonly Route[]
  /** there is one beside that for all others */
  readonly hasNames: boolean
  /** the `/` that a host has though nobody has written it, with what the annotations of its oldest Ingress say */
  readonly implicitRoot: (host: string) => Route | undefined
  /** where requests go that no route of a host matches, when they are looked for under wildcards, and among all hosts; undefined: there is nothing */
  readonly beyond: (host: string) => Route | undefined
}

export function servedHosts(hosts: readonly Host[]): ServedHosts {
  const own = hosts.filter(({ server }) => server === sharedServer)
  const byName = new Map(own.map((it) => [it.host === "_" ? "" : it.host, it.routes.filter(isOfObject)]))
  const routes = (host: string) => byName.get(host) ?? []
  return {
    routes,
    hasNames: [...byName.keys()].some((name) => name !== ""),
    implicitRoot: (host) => routes(host).find(isImplicit),
    beyond: (host) =>
      widerThan(host)
        .flatMap(routes)
        .find((route) => !isImplicit(route)),
  }
}

const isOfObject = ({ ingressName }: Route) => ingressName !== ""

const isImplicit = ({ path, match, serviceName }: Route) =>
  path === "/" && match !== "exact" && serviceName === ""

/** From the most specific one to all hosts. */
function widerThan(host: string): readonly string[] {
  if (host === "") return []
  const above = host.replace(/^\*\./, "").split(".").slice(1)
  return [...above.map((_, at) => `*.${above.slice(at).join(".")}`), ""]
}

import { Failure } from "../support/failure.ts"
import { type Command, withRunning } from "./command.ts"
import type { HostInForce } from "./in-force.ts"
import { ingressOf, routeNotes } from "./notes.ts"
import { aligned } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

const head = ["HOST", "PATH", "MATCH", "BACKEND", "INGRESS", "POLICY", "NOTES"]

export const routes: Command = {
  name: "routes",
  operands: "[HOST [PATH]]",
  summary: "list the routes in force",
  description: [
    "Lists all routes, those of one host, or those with one path of it; one line each. Of a host, exact paths come first, then",
    "regular expressions in their order, then the longest prefix. Host _ is every host without routes of its own.",
    "With --json: the records in force, as the control API shows them (docs/wire.md).",
  ],
  run: (asked, terminal) =>
    withRunning(asked, async (inForce) => {
      const [host, path] = asked.operands
      const all =
        host === undefined ? await inForce.hosts() : await inForce.hostWithRoutes(host.toLowerCase())
      const hosts = path === undefined ? all : all.map((found) => withPath(found, path))
      if (hosts.every(isEmpty)) throw nothing(host, path)
      if (asked.json) writeJson(terminal, hosts)
      else writeLines(terminal, list(hosts, terminal))
    }),
}

function withPath(host: HostInForce, path: string): HostInForce {
  return { ...host, routes: host.routes.filter((route) => route.path === path) }
}

function list(hosts: readonly HostInForce[], terminal: Terminal): string[] {
  const [title = "", ...lines] = routeLines(hosts)
  return [paint(terminal, "bold", title), ...lines]
}

/** A table, the head first. */
export function routeLines(hosts: readonly HostInForce[]): readonly string[] {
  return aligned([head, ...hosts.flatMap(rows)])
}

function isEmpty({ routes, alias_of, closed }: HostInForce): boolean {
  return routes.length === 0 && alias_of === undefined && closed === undefined
}

function rows({ host, server, routes, alias_of, closed }: HostInForce): string[][] {
  const name = server === "main" ? host : `${host} (${server})`
  if (closed) return [[name, "*", "-", "-", "-", "-", "closed for want of room: 503"]]
  if (alias_of !== undefined && routes.length === 0)
    return [[name, "*", "-", "-", "-", "-", `alias of ${alias_of}`]]
  return routes.map((route) => [
    name,
    route.path,
    route.match,
    route.backend,
    ingressOf(route) || "-",
    route.policy,
    routeNotes(route).join("; "),
  ])
}

function nothing(host: string | undefined, path: string | undefined): Failure {
  if (host === undefined) return new Failure("nothing", "There is no route in force")
  const advice = `wick explain ${host} ${path ?? "/"} says what serves it`
  return new Failure(
    "nothing",
    path === undefined
      ? `There is no route of host "${host}" itself: ${advice}`
      : `There is no route with path "${path}" of host "${host}" itself: ${advice}`,
  )
}

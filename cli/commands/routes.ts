import { rulesNoteFor } from "../../controller/inspect/firewall.ts"
import type { HostInForce, InForce, RouteInForce } from "../../controller/inspect/in-force.ts"
import { ingressOf, type RulesNote, routeNotes } from "../../controller/inspect/notes.ts"
import { sharedServer } from "../../controller/model/listener.ts"
import { readRuleSet } from "../../controller/output/nginx/rule-set-files.ts"
import { Failure } from "../../controller/support/failure.ts"
import { type Command, withRunning } from "./command.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

const head = ["HOST", "PATH", "MATCH", "BACKEND", "SERVICE", "INGRESS", "LOCATION", "NOTES"]
const serviceColumn = head.indexOf("SERVICE")

export const routes: Command = {
  name: "routes",
  description: [
    "Lists all routes, those of one host, or those with one path of it; one line each. Of a host, exact paths come first, then",
    "regular expressions in their order, then the longest prefix. Host _ is every host without routes of its own.",
    "With --output wide: the Services behind them, too. With --json: the records in force, as the control API shows them (docs/wire.md).",
  ],
  formats: ["wide", "name"],
  run: (asked, terminal) =>
    withRunning(asked, async (inForce) => {
      const [host, path] = asked.operands
      const all =
        host === undefined ? await inForce.hosts() : await inForce.hostWithRoutes(host.toLowerCase())
      const hosts = path === undefined ? all : all.map((found) => withPath(found, path))
      if (hosts.every(isEmpty)) throw nothing(host, path)
      if (asked.json) writeJson(terminal, hosts)
      else if (asked.format === "name") writeLines(terminal, names(hosts))
      else
        writeLines(
          terminal,
          list(hosts, asked.format === "wide", await rulesNoteIn(hosts, inForce), terminal),
        )
    }),
}

function withPath(host: HostInForce, path: string): HostInForce {
  return { ...host, routes: host.routes.filter((route) => route.path === path) }
}

/** `host/path`, each once. */
function names(hosts: readonly HostInForce[]): string[] {
  const all = hosts.flatMap(({ host, routes }) => routes.map(({ path }) => printable(host + path)))
  return [...new Set(all)]
}

function rulesNoteIn(hosts: readonly HostInForce[], { layout }: InForce): Promise<RulesNote> {
  return rulesNoteFor(hosts, (digest) => readRuleSet(layout, digest))
}

function list(
  hosts: readonly HostInForce[],
  isWide: boolean,
  rulesNote: RulesNote,
  terminal: Terminal,
): string[] {
  const [title = "", ...lines] = routeLines(hosts, isWide, rulesNote)
  return [paint(terminal, "bold", title), ...lines]
}

/** A table, the head first. @param isWide with the port of the Service behind each route */
export function routeLines(
  hosts: readonly HostInForce[],
  isWide = false,
  rulesNote?: RulesNote,
): readonly string[] {
  const table = [head, ...hosts.flatMap((host) => rows(host, rulesNote))]
  return aligned(isWide ? table : table.map((row) => row.toSpliced(serviceColumn, 1)))
}

function serviceOf({
  namespace = "",
  service_name: name = "",
  service_port: port = "",
}: RouteInForce): string {
  return name === "" ? "-" : `${namespace}/${name}:${port}`
}

function isEmpty({ routes, alias_of, closed }: HostInForce): boolean {
  return routes.length === 0 && alias_of === undefined && closed === undefined
}

function rows(
  { host, server, routes, alias_of, closed }: HostInForce,
  rulesNote: RulesNote | undefined,
): string[][] {
  const name = server === sharedServer ? host : `${host} (${server})`
  if (closed) return [[name, "*", "-", "-", "-", "-", "-", "closed for want of room: 503"]]
  if (alias_of !== undefined && routes.length === 0)
    return [[name, "*", "-", "-", "-", "-", "-", `alias of ${alias_of}`]]
  return routes.map((route) => [
    name,
    route.path,
    route.match,
    route.backend,
    serviceOf(route),
    ingressOf(route) || "-",
    route.location,
    routeNotes(route, rulesNote).join("; "),
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

// Whether all who have read a request read the same one.
import { posix } from "node:path"
import { decoded, pathnameOf } from "./backends.ts"
import type { Report } from "./report.ts"

/** A line of wick's access log. */
export interface Logged {
  readonly id: string
  /** that the route was found by */
  readonly host: string
  readonly uri: string
  readonly target: string
  readonly address: string
  readonly method: string
  readonly scheme: string
  /** of the rule */
  readonly path: string
}

/** A question to the authentication service. */
export interface Asked {
  readonly id: string
  readonly url: string
  readonly realIp: string
  readonly forwardedFor: string
  /** whom it has let in; empty: nobody */
  readonly user: string
}

/** What is known of one request. */
export interface Readings {
  readonly report: Report
  readonly logged: Logged | undefined
  readonly asked: Asked | undefined
}

/** The one address that clients have. */
const client = "127.0.0.1"

/** Of the routes of each host, the one that the path lies in. */
function routeOf(path: string): string {
  return (
    ["/open", "/guarded", "/asks"].find((route) => path === route || path.startsWith(`${route}/`)) ?? "/root"
  )
}

/** By name, what some servers make of a path besides: accepted.ts says of each why nothing is done about it. */
const liberties: Readonly<Record<string, (path: string) => string>> = {
  parameters: (path) => path.replaceAll(/;[^/]*/g, ""),
  case: (path) => path.toLowerCase(),
  "decoded twice": (path) => posix.normalize(decoded(path)),
}

/** What is read in different ways; empty: all agree. */
export function disagreements({ report, logged, asked }: Readings): string[] {
  if (logged === undefined)
    return [`${report.who} was asked for ${report.target}, of which the log knows nothing`]
  const said = `${report.who} ${JSON.stringify(report)} ${JSON.stringify(logged)}`
  const found = [
    ...ofHost(report, logged),
    ...ofPath(report, logged),
    ...ofClient(report, logged),
    ...ofUser(report, logged, asked),
  ]
  return [...found, ...ofService(asked, logged)].map(
    (what) => `${what}: ${said} ${JSON.stringify(asked ?? {})}`,
  )
}

const plain = (host: string) => host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")

function ofHost(report: Report, logged: Logged): string[] {
  const expected = `${report.who}.test`
  const isOne = [report.host, report.forwardedHost, logged.host].every(
    (host) => plain(host).replace(/^cut\./, "") === expected,
  )
  return isOne ? [] : ["host"]
}

function ofPath(report: Report, logged: Logged): string[] {
  const route = logged.path === "/" ? "/root" : logged.path
  const faults = report.method === logged.method ? [] : ["method"]
  if (route === "/guarded") return ["a path that nobody may get to"]
  const isCut = plain(logged.host).startsWith("cut.")
  if (report.prefix !== (isCut ? "/cut" : "")) faults.push("prefix")
  if (isCut)
    return [report.path, report.normal].every(isInside) ? faults : [...faults, "path after rewriting"]
  const paths = [report.path, report.normal]
  const merged = paths.map((path) => path.replaceAll(/\/+/g, "/"))
  const isIn = (path: string) => routeOf(path) === route
  if (!merged.every(isIn) || shown(report.target) !== shown(logged.target)) return [...faults, "path"]
  const taken = Object.entries(liberties).filter(([, take]) => !merged.every((path) => isIn(take(path))))
  const names = [...taken.map(([name]) => name), ...(paths.every(isIn) ? [] : ["slashes"])]
  return [...faults, ...names.map((name) => `path, by ${name}`)]
}

/** What of a target everybody leaves as it was: Python's server makes one slash of those at the beginning, nginx adds one, and a log in JSON is UTF-8. */
function shown(target: string): string {
  return `/${target.replace(/^\/+/, "").replace(/\?$/, "")}`.replaceAll(/[^\x20-\x7e]/g, "-")
}

function isInside(path: string): boolean {
  return /^\/inside/.test(path) && posix.normalize(path).startsWith("/inside")
}

function ofClient(report: Report, logged: Logged): string[] {
  const isOne = [report.forwardedFor, report.realIp, logged.address].every((address) => address === client)
  return isOne && report.proto === logged.scheme ? [] : ["client"]
}

function ofUser(report: Report, logged: Logged, asked: Asked | undefined): string[] {
  if (logged.path !== "/asks") return asked === undefined ? [] : ["a question about another path"]
  // An answer that was kept is one to the same cookie.
  const users = asked === undefined ? ["ann", "bob"] : [asked.user]
  return report.user !== "" && users.includes(report.user) ? [] : ["user"]
}

function ofService(asked: Asked | undefined, logged: Logged): string[] {
  if (asked === undefined) return []
  const host = /^https?:\/\/([^/?#]*)/.exec(asked.url)?.[1] ?? ""
  const target = asked.url.replace(/^https?:\/\/[^/]*/, "")
  const paths = [decoded(target.split("?")[0] ?? ""), decoded(pathnameOf(target))]
  const routes = paths.map((path) => routeOf(path.replaceAll(/\/+/g, "/")))
  const isOne = plain(host) === plain(logged.host) && routes.every((route) => route === "/asks")
  const isClient = asked.realIp === client && asked.forwardedFor === client
  return [...(isOne ? [] : ["the service's path or host"]), ...(isClient ? [] : ["the service's client"])]
}

import { canonicalRange } from "../support/address-range.ts"
import { checkNotes } from "./access.ts"
import { detailed } from "./backends.ts"
import { type Asked, type Command, usage, withRunning } from "./command.ts"
import { type Explanation, explain as explainRequest, type Sources, type Taken } from "./explanation.ts"
import { limitNotes } from "./limits.ts"
import { clientNotes, corsNotes, ingressOf, routeNotes } from "./notes.ts"
import { type Rehearsal, rehearse } from "./rehearse.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

/** Routes that were not taken, in the form for people. */
const maxShown = 20

export const explain: Command = {
  name: "explain",
  operands: "URL|HOST [PATH]",
  summary: "say which route, policy and backend serve a request, and why others do not",
  description: [
    "Asks the running nginx which route it takes for a request (GET), and what it does with it; nothing is sent to a backend.",
    "The request is a URL, with or without http://, or a host and a path (default /). Redirects, statuses and rewrites are nginx's own answers.",
    "With --json: all of it, with every route of the host that was not taken.",
  ],
  flags: [
    {
      name: "header",
      valueName: "'NAME: VALUE'",
      meaning: "a header of the request; Host takes the place of the URL's",
    },
    {
      name: "client",
      valueName: "ADDRESS",
      meaning: "address of the client, by which the route's lists decide",
    },
    {
      name: "user",
      valueName: "NAME:PASSWORD",
      meaning: "credentials of the client for Basic authentication, which nginx verifies",
    },
    { name: "https", meaning: "the request comes by HTTPS, as one for a URL with https does" },
  ],
  async run(asked, terminal) {
    const request = requestOf(asked)
    const client = clientOf(asked)
    await withRunning(asked, async (inForce) => {
      const sources: Sources = {
        rehearse: (rehearsal) => rehearse(inForce.layout, rehearsal),
        host: (name) => inForce.host(name),
        backend: (name) => inForce.backend(name),
        addresses: (id) => inForce.addresses(id),
        users: (id) => inForce.users(id),
      }
      const explanation = await explainRequest(request, sources, client)
      if (asked.json) writeJson(terminal, explanation)
      else writeLines(terminal, printed(explanation, terminal))
    })
  },
}

/** @throws Failure `usage` */
export function requestOf({ operands, flags }: Pick<Asked, "operands" | "flags">): Rehearsal {
  const [first = "", path] = operands
  if (first === "") throw usage(explain, "What is to be explained is missing")
  const written = (flags.header ?? []).map((text) => headerOf(String(text)))
  const headers = Object.fromEntries([...written, ...credentialsOf(flags.user?.at(-1))])
  const { host: given, ...others } = headers
  const place = first.includes("/")
    ? placeOfUrl(first, path)
    : { host: first, target: path ?? "/", isHttps: false }
  if (!place.target.startsWith("/"))
    throw usage(explain, `Path "${place.target}" does not start with a slash`)
  const isHttps = place.isHttps || flags.https !== undefined
  return { host: given ?? place.host, target: place.target, headers: others, isHttps }
}

/** @throws Failure `usage` */
export function clientOf({ flags }: Pick<Asked, "flags">): string | undefined {
  const client = flags.client?.at(-1)
  if (client === undefined) return undefined
  const address = String(client)
  if (address.includes("/") || canonicalRange(address) === undefined)
    throw usage(explain, `Cannot read client "${address}": write an IP address`)
  return address
}

/** The path stays as it was written: what becomes of it is nginx's business. */
function placeOfUrl(text: string, path: string | undefined) {
  const [, scheme = "", host = "", target = ""] =
    /^(?:(https?):\/\/)?((?:\[[^\]]*\]|[^/?#:]+)(?::\d+)?)(?=[/?#]|$)([^#]*)/i.exec(text) ?? []
  if (host === "") throw usage(explain, `Cannot read "${text}" as a URL with http or https`)
  if (path !== undefined) throw usage(explain, "A URL and a path are one too many")
  return { host, target: target.startsWith("/") ? target : `/${target}`, isHttps: /^https$/i.test(scheme) }
}

function headerOf(text: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? []
  if (name === "") throw usage(explain, `Cannot read header "${text}": write 'Name: value'`)
  return [name.toLowerCase(), value]
}

/** @throws Failure `usage` */
function credentialsOf(user: string | boolean | undefined): [name: string, value: string][] {
  if (user === undefined) return []
  const text = String(user)
  if (!text.includes(":")) throw usage(explain, `Cannot read user "${text}": write NAME:PASSWORD`)
  return [["authorization", `Basic ${Buffer.from(text).toString("base64")}`]]
}

function printed(explanation: Explanation, terminal: Terminal): string[] {
  const { taken, otherHosts, notTaken } = explanation
  const facts = taken === undefined ? [] : ["", ...aligned(factsOf(explanation, taken)).map(indented)]
  const others = aligned([...rivals(explanation), ...otherHosts.map(hostRow)]).map(indented)
  const left = notTaken.length - maxShown
  if (left > 0) others.push(`  and ${left} more routes of ${taken?.host}`)
  return [
    paint(terminal, "bold", printable(headline(explanation))),
    ...facts,
    ...(others.length > 0 ? ["", "Not taken:"] : []),
    ...others.map((line) => paint(terminal, "dim", line)),
  ]
}

function indented(line: string): string {
  return `  ${line}`
}

function headline({ request, outcome, taken }: Explanation): string {
  const what = `${request.isHttps ? "https" : "http"}://${request.host}${request.target}`
  const by = taken === undefined ? ofNobody(outcome) : owner(taken)
  switch (outcome.kind) {
    case "proxied":
      return `${what} is served ${by}`
    case "redirected":
      return `${what} is redirected (${outcome.status}) ${by}`
    case "answered":
      return `${what} is answered ${outcome.status} ${by}`
    default:
      return outcome satisfies never
  }
}

function ofNobody(outcome: Explanation["outcome"]): string {
  const isMissing = outcome.kind === "answered" && outcome.status === 404
  return isMissing ? "as no route is found" : "before a route is looked for"
}

function owner({ route }: Taken): string {
  const ingress = ingressOf(route)
  return ingress === "" ? "by wick itself: no Ingress is meant" : `by Ingress ${ingress}`
}

/** What there is to say, each behind its name. */
function factsOf({ request, outcome }: Explanation, taken: Taken): string[][] {
  const { host, hostBecause, path, route, clients, checks, limits, backend, canaries } = taken
  return [
    ["host", `${host} (${hostBecause})`],
    ["route", `${route.path} (${route.match}${path === route.path ? "" : `, for ${path}`})`],
    ...(outcome.kind === "redirected" ? [["to", outcome.location]] : []),
    ...(outcome.kind === "proxied" && isRewritten(outcome.target, path, request.target)
      ? [["sees", outcome.target]]
      : []),
    ["policy", route.policy],
    ...(clients === undefined ? [] : named("clients", clientNotes(clients))),
    ...(route.cors === undefined ? [] : named("cors", corsNotes(route.cors))),
    ...(limits === undefined ? [] : named("limits", limitNotes(limits))),
    ...(checks === undefined ? [] : named("access", checkNotes(checks))),
    ...(backend === undefined ? [] : named("backend", detailed(backend))),
    ...canaries.flatMap((canary) => named("canary", detailed(canary))),
    ...named("with", routeNotes(route)),
  ]
}

function isRewritten(seen: string, path: string, target: string): boolean {
  const at = target.indexOf("?")
  return seen !== path + (at === -1 ? "" : target.slice(at))
}

/** The name stands in front of the first of several lines. */
function named(name: string, lines: readonly string[]): string[][] {
  return lines.map((line, at) => [at === 0 ? name : "", line])
}

function rivals({ taken, notTaken }: Explanation): string[][] {
  return notTaken
    .slice(0, maxShown)
    .map(({ route, why }) => [taken?.host ?? "", route.path, route.match, ingressOf(route) || "-", why])
}

function hostRow({ host, routes, why }: Explanation["otherHosts"][number]): string[] {
  return [host, routes === 1 ? "1 route" : `${routes} routes`, "", "", why]
}

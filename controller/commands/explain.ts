import type { Concerned } from "../model/standing-problem.ts"
import { canonicalRange } from "../support/address-range.ts"
import { counted } from "../support/counted.ts"
import type { Failure } from "../support/failure.ts"
import { askController } from "./ask-controller.ts"
import { type Asked, type Command, usage, withRunning } from "./command.ts"
import { type Explanation, explain as explainRequest, type Sources } from "./explanation.ts"
import { factsOf } from "./explanation-facts.ts"
import { clientGets, headline } from "./explanation-text.ts"
import type { InForce } from "./in-force.ts"
import { ingressOf } from "./notes.ts"
import { type Rehearsal, rehearse } from "./rehearse.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

/** Routes that were not taken, in the form for people. */
const maxShown = 20

export const explain: Command = {
  name: "explain",
  description: [
    "Asks the running nginx which route it takes for a request (GET), and what it does with it; nothing is sent to a backend. The controller is asked what is wrong with what serves it.",
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
    {
      name: "ask-auth",
      meaning:
        "have nginx ask the authentication service, which gets a request for it; else it is only named",
    },
    { name: "https", meaning: "the request comes by HTTPS, as one for a URL with https does" },
  ],
  async run(asked, terminal) {
    const request = requestOf(asked)
    const client = clientOf(asked)
    await withRunning(asked, async (inForce) => {
      const asksService = asked.flags["ask-auth"] !== undefined
      const explanation = await explainRequest(request, sourcesIn(inForce), client, asksService)
      if (asked.json) writeJson(terminal, explanation)
      else writeLines(terminal, printed(explanation, terminal))
    })
  },
}

/** Everything is asked of what runs. */
export function sourcesIn(inForce: InForce): Sources {
  return {
    rehearse: (rehearsal, asksService) => rehearse(inForce.layout, rehearsal, asksService),
    host: (name) => inForce.hostWithRoutes(name),
    backend: (name) => inForce.backend(name),
    addresses: (id) => inForce.addresses(id),
    users: (id) => inForce.users(id),
    standing: (concerned) =>
      askController(inForce.layout.uiSocket, `/api/concerning?${questionOf(concerned)}`),
  }
}

function questionOf(concerned: Concerned): URLSearchParams {
  return new URLSearchParams(Object.entries(concerned).filter(([, text]) => text !== undefined))
}

/** Makes a failure of what is wrong with a question: a sentence without its dot. */
type Wrong = (what: string) => Failure

const wrongUsage: Wrong = (what) => usage(explain, what)

/** @throws Failure as `wrong` makes it; by default `usage` */
export function requestOf(
  { operands, flags }: Pick<Asked, "operands" | "flags">,
  wrong: Wrong = wrongUsage,
): Rehearsal {
  const [first = "", path] = operands
  if (first === "") throw wrong("What is to be explained is missing")
  const written = (flags.header ?? []).map((text) => headerOf(String(text), wrong))
  const headers = Object.fromEntries([...written, ...credentialsOf(flags.user?.at(-1), wrong)])
  const { host: given, ...others } = headers
  const place = first.includes("/")
    ? placeOfUrl(first, path, wrong)
    : { host: first, target: path ?? "/", isHttps: false }
  if (!place.target.startsWith("/")) throw wrong(`Path "${place.target}" does not start with a slash`)
  const isHttps = place.isHttps || flags.https !== undefined
  return { host: given ?? place.host, target: place.target, headers: others, isHttps }
}

/** @throws Failure as `wrong` makes it; by default `usage` */
export function clientOf({ flags }: Pick<Asked, "flags">, wrong: Wrong = wrongUsage): string | undefined {
  const client = flags.client?.at(-1)
  if (client === undefined) return undefined
  const address = String(client)
  if (address.includes("/") || canonicalRange(address) === undefined)
    throw wrong(`Cannot read client "${address}": write an IP address`)
  return address
}

/** The path stays as it was written: what becomes of it is nginx's business. */
function placeOfUrl(text: string, path: string | undefined, wrong: Wrong) {
  const [, scheme = "", host = "", target = ""] =
    /^(?:(https?):\/\/)?((?:\[[^\]]*\]|[^/?#:]+)(?::\d+)?)(?=[/?#]|$)([^#]*)/i.exec(text) ?? []
  if (host === "") throw wrong(`Cannot read "${text}" as a URL with http or https`)
  if (path !== undefined) throw wrong("A URL and a path are one too many")
  return { host, target: target.startsWith("/") ? target : `/${target}`, isHttps: /^https$/i.test(scheme) }
}

function headerOf(text: string, wrong: Wrong): [name: string, value: string] {
  const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? []
  if (name === "") throw wrong(`Cannot read header "${text}": write 'Name: value'`)
  return [name.toLowerCase(), value]
}

function credentialsOf(user: string | boolean | undefined, wrong: Wrong): [name: string, value: string][] {
  if (user === undefined) return []
  const text = String(user)
  if (!text.includes(":")) throw wrong(`Cannot read user "${text}": write NAME:PASSWORD`)
  return [["authorization", `Basic ${Buffer.from(text).toString("base64")}`]]
}

function printed(explanation: Explanation, terminal: Terminal): string[] {
  const { taken, otherHosts, notTaken } = explanation
  const rows = factsOf(explanation)
  const facts = rows.length === 0 ? [] : ["", ...aligned(rows).map(indented)]
  const others = aligned([...rivals(explanation), ...otherHosts.map(hostRow)]).map(indented)
  const left = notTaken.length - maxShown
  if (left > 0) others.push(`  and ${left} more routes of ${taken?.host}`)
  return [
    paint(terminal, "bold", printable(headline(explanation))),
    ...facts,
    ...(others.length > 0 ? ["", "Not taken:"] : []),
    ...others.map((line) => paint(terminal, "dim", line)),
    "",
    paint(terminal, "bold", printable(clientGets(explanation))),
  ]
}

function indented(line: string): string {
  return `  ${line}`
}

function rivals({ taken, notTaken }: Explanation): string[][] {
  return notTaken
    .slice(0, maxShown)
    .map(({ route, why }) => [taken?.host ?? "", route.path, route.match, ingressOf(route) || "-", why])
}

function hostRow({ host, routes, why }: Explanation["otherHosts"][number]): string[] {
  return [host, counted(routes, "route"), "", "", why]
}

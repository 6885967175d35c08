import {
  type Explanation,
  explain as explainRequest,
  type Sources,
} from "../../controller/inspect/explanation.ts"
import { factsOf } from "../../controller/inspect/explanation-facts.ts"
import { sourcesIn, streamSourcesIn } from "../../controller/inspect/explanation-sources.ts"
import { clientGets, headline } from "../../controller/inspect/explanation-text.ts"
import type { InForce } from "../../controller/inspect/in-force.ts"
import { ingressOf } from "../../controller/inspect/notes.ts"
import { clientOf, requestOf } from "../../controller/inspect/question.ts"
import { explainStream, type StreamExplanation } from "../../controller/inspect/stream-explanation.ts"
import { streamFacts, streamGets, streamHeadline } from "../../controller/inspect/stream-explanation-text.ts"
import { isStreamUrl, streamQuestionOf } from "../../controller/inspect/stream-question.ts"
import type { Concerned, StandingProblem } from "../../controller/model/standing-problem.ts"
import { counted } from "../../controller/support/counted.ts"
import { askController } from "./ask-controller.ts"
import { type Asked, type Command, one, usage, withRunning } from "./command.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Terminal, writeJson, writeLines } from "./terminal.ts"

/** Routes that were not taken, in the form for people. */
const maxShown = 20

export const explain: Command = {
  name: "explain",
  description: [
    "Asks the running nginx which route it takes for a request (GET), and what it does with it; nothing is sent to a backend. The controller is asked what is wrong with what serves it.",
    "Of a connection it is tcp://HOST:PORT or udp://HOST:PORT: which Service the port leads to, and which clients it takes (docs/guides/tcp-udp.md).",
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
      name: "sni",
      valueName: "NAME",
      meaning: "of tcp://: the server name that the client of TLS asks for; else the URL's, if it is a name",
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
    const [first = ""] = asked.operands
    if (isStreamUrl(first)) return explainPort(asked, terminal)
    const request = requestOf(asked, wrong)
    const client = clientOf(asked, wrong)
    await withRunning(asked, async (inForce) => {
      const asksService = asked.flags["ask-auth"] !== undefined
      const explanation = await explainRequest(request, sourcesOf(inForce), client, asksService)
      if (asked.json) writeJson(terminal, explanation)
      else writeLines(terminal, printed(explanation, terminal))
    })
  },
}

async function explainPort(asked: Asked, terminal: Terminal): Promise<void> {
  const [text = "", path] = asked.operands
  if (path !== undefined) throw wrong("A port has no path")
  const request = streamQuestionOf(
    text,
    { sni: one(asked, "sni") || undefined, client: clientOf(asked, wrong) },
    wrong,
  )
  await withRunning(asked, async (inForce) => {
    const explanation = await explainStream(request, streamSourcesIn(inForce, standingIn(inForce)))
    if (asked.json) writeJson(terminal, explanation)
    else writeLines(terminal, printedPort(explanation, terminal))
  })
}

function printedPort(explanation: StreamExplanation, terminal: Terminal): string[] {
  const bold = (text: string) => paint(terminal, "bold", printable(text))
  const facts = aligned(streamFacts(explanation)).map(indented)
  return [bold(streamHeadline(explanation)), "", ...facts, "", bold(streamGets(explanation))]
}

/** Everything is asked of what runs. */
function sourcesOf(inForce: InForce): Sources {
  return { ...sourcesIn(inForce), standing: standingIn(inForce) }
}

function standingIn(inForce: InForce): Sources["standing"] {
  return (concerned: Concerned) =>
    askController<readonly StandingProblem[]>(
      inForce.layout.uiSocket,
      `/api/concerning?${questionOf(concerned)}`,
    )
}

function questionOf(concerned: Concerned): URLSearchParams {
  return new URLSearchParams(Object.entries(concerned).filter(([, text]) => text !== undefined))
}

const wrong = (what: string) => usage(explain, what)

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

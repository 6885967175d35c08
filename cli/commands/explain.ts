import {
  type Explanation,
  explain as explainRequest,
  type Sources,
} from "../../controller/inspect/explanation.ts"
import { factsOf } from "../../controller/inspect/explanation-facts.ts"
import { sourcesIn } from "../../controller/inspect/explanation-sources.ts"
import { clientGets, headline } from "../../controller/inspect/explanation-text.ts"
import type { InForce } from "../../controller/inspect/in-force.ts"
import { ingressOf } from "../../controller/inspect/notes.ts"
import { clientOf, requestOf } from "../../controller/inspect/question.ts"
import type { Concerned, StandingProblem } from "../../controller/model/standing-problem.ts"
import { counted } from "../../controller/support/counted.ts"
import { askController } from "./ask-controller.ts"
import { type Command, usage, withRunning } from "./command.ts"
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

/** Everything is asked of what runs. */
function sourcesOf(inForce: InForce): Sources {
  const standing = (concerned: Concerned) =>
    askController<readonly StandingProblem[]>(
      inForce.layout.uiSocket,
      `/api/concerning?${questionOf(concerned)}`,
    )
  return { ...sourcesIn(inForce), standing }
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

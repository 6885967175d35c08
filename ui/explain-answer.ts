import { concerning } from "../controller/inspect/concerning.ts"
import {
  type Sources as ExplainSources,
  type Explanation,
  explain,
} from "../controller/inspect/explanation.ts"
import { factsOf } from "../controller/inspect/explanation-facts.ts"
import { sourcesIn } from "../controller/inspect/explanation-sources.ts"
import { clientGets, headline } from "../controller/inspect/explanation-text.ts"
import type { InForce } from "../controller/inspect/in-force.ts"
import { ingressOf } from "../controller/inspect/notes.ts"
import { clientOf, requestOf } from "../controller/inspect/question.ts"
import type { Concerned } from "../controller/model/standing-problem.ts"
import { Failure } from "../controller/support/failure.ts"
import type { Explained } from "./api.ts"
import { standingOf } from "./problems-answer.ts"
import type { Question } from "./question.ts"
import type { Sources } from "./sources.ts"

/** Routes that were not taken. */
const maxNotTaken = 50

const maxHeaders = 20

/** Asks nginx, as `wick explain` does. @throws Failure `bad-question`, and as that */
export async function explainAnswer(question: Question, sources: Sources): Promise<Explained> {
  const request = requestOf(askedOf(question), wrong)
  const { authorization } = request.headers
  if (authorization !== undefined)
    throw wrong("Passwords have no place here: ask wick explain --user what becomes of one")
  const client = question.text("client").trim()
  const address = clientOf({ flags: client === "" ? {} : { client: [client] } }, wrong)
  const inForce = await sources.inForce()
  try {
    return explained(await explain(request, sourcesOf(inForce, sources.lastPass), address))
  } finally {
    inForce.close()
  }
}

function askedOf(question: Question): Parameters<typeof requestOf>[0] {
  const headers = question
    .texts("header")
    .map((text) => text.trim())
    .filter((text) => text !== "")
  if (headers.length > maxHeaders)
    throw wrong(`Cannot explain a request with more than ${maxHeaders} headers`)
  const https: readonly true[] = question.text("https") === "1" ? [true] : []
  return {
    operands: [question.text("url").trim()],
    flags: { header: headers, ...(https.length > 0 && { https }) },
  }
}

function sourcesOf(inForce: InForce, lastPass: Sources["lastPass"]): ExplainSources {
  const users = async (id: string) => (await inForce.users(id))?.map(() => "(its name is not shown here)")
  const standing = async (concerned: Concerned) => concerning(standingOf(lastPass), concerned)
  return { ...sourcesIn(inForce), users, standing }
}

function explained(explanation: Explanation): Explained {
  const { outcome, taken, notTaken, otherHosts } = explanation
  const ingress = taken && ingressOf(taken.route)
  return {
    headline: headline(explanation),
    outcome: outcome.kind,
    ...("status" in outcome && { status: outcome.status }),
    facts: factsOf(explanation).map(([name = "", text = ""]) => [name, text]),
    gets: clientGets(explanation),
    ...(ingress && { ingress }),
    ...(taken?.backend && { backend: taken.backend.name }),
    canaries: taken?.canaries.map(({ name }) => name) ?? [],
    notTaken: notTaken.slice(0, maxNotTaken).map(({ route, why, isRival }) => ({
      host: taken?.host ?? "",
      path: route.path,
      match: route.match,
      ingress: ingressOf(route),
      why,
      isRival,
    })),
    notTakenTotal: notTaken.length,
    otherHosts: otherHosts.map(({ host, routes, why }) => ({ host, routes, why })),
  }
}

function wrong(what: string): Failure {
  return new Failure("bad-question", what)
}

import { concerning } from "../controller/inspect/concerning.ts"
import {
  type Sources as ExplainSources,
  type Explanation,
  explain,
} from "../controller/inspect/explanation.ts"
import { factsOf } from "../controller/inspect/explanation-facts.ts"
import { sourcesIn, streamSourcesIn } from "../controller/inspect/explanation-sources.ts"
import { clientGets, headline } from "../controller/inspect/explanation-text.ts"
import type { InForce } from "../controller/inspect/in-force.ts"
import { ingressOf } from "../controller/inspect/notes.ts"
import { clientOf, requestOf } from "../controller/inspect/question.ts"
import { explainStream } from "../controller/inspect/stream-explanation.ts"
import { streamFacts, streamGets, streamHeadline } from "../controller/inspect/stream-explanation-text.ts"
import { isStreamUrl, streamQuestionOf } from "../controller/inspect/stream-question.ts"
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
  const url = question.text("url").trim()
  if (isStreamUrl(url)) return portExplained(url, question, sources)
  const request = requestOf(askedOf(question), wrong)
  const { authorization } = request.headers
  if (authorization !== undefined)
    throw wrong("Passwords have no place here: ask wick explain --user what becomes of one")
  const client = clientIn(question)
  const inForce = await sources.inForce()
  try {
    return explained(await explain(request, sourcesOf(inForce, sources.lastPass), client))
  } finally {
    inForce.close()
  }
}

function clientIn(question: Question): string | undefined {
  const client = question.text("client").trim()
  return clientOf({ flags: client === "" ? {} : { client: [client] } }, wrong)
}

async function portExplained(url: string, question: Question, sources: Sources): Promise<Explained> {
  const request = streamQuestionOf(
    url,
    { sni: question.text("sni") || undefined, client: clientIn(question) },
    wrong,
  )
  const inForce = await sources.inForce()
  try {
    const explanation = await explainStream(request, streamSourcesIn(inForce, standingIn(sources.lastPass)))
    const { outcome, backend } = explanation
    return {
      headline: streamHeadline(explanation),
      outcome: outcome.kind,
      facts: streamFacts(explanation).map(([name = "", text = ""]) => [name, text]),
      gets: streamGets(explanation),
      ...(backend && { backend: backend.name }),
      ...{ canaries: [], notTaken: [], notTakenTotal: 0, otherHosts: [] },
    }
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
  return { ...sourcesIn(inForce), users, standing: standingIn(lastPass) }
}

function standingIn(lastPass: Sources["lastPass"]) {
  return async (concerned: Concerned) => concerning(standingOf(lastPass), concerned)
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

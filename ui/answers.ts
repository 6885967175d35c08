import type { Answers } from "./api.ts"
import { backendAnswer, backendsAnswer, canariesAnswer } from "./backends-answer.ts"
import { certificatesAnswer } from "./certificates-answer.ts"
import { explainAnswer } from "./explain-answer.ts"
import { overviewAnswer, policiesAnswer, reloadsAnswer } from "./overview-answer.ts"
import { portsAnswer } from "./ports-answer.ts"
import { concerningAnswer, problemsAnswer } from "./problems-answer.ts"
import type { Question } from "./question.ts"
import { routesAnswer } from "./routes-answer.ts"
import type { Sources } from "./sources.ts"
import { trafficAnswer } from "./traffic-answer.ts"

type Answer<Name extends keyof Answers> = (
  question: Question,
  sources: Sources,
) => Answers[Name] | Promise<Answers[Name]>

/** What may be asked for, by its path below `/api/`. */
export const answers: { readonly [Name in keyof Answers]: Answer<Name> } = {
  overview: (_, sources) => overviewAnswer(sources),
  samples: (question, { sampler }) => sampler.since(question.number("since", Number.MAX_SAFE_INTEGER) ?? 0),
  traffic: trafficAnswer,
  routes: routesAnswer,
  explain: explainAnswer,
  backends: backendsAnswer,
  backend: backendAnswer,
  canaries: canariesAnswer,
  ports: portsAnswer,
  certificates: certificatesAnswer,
  problems: problemsAnswer,
  concerning: concerningAnswer,
  reloads: reloadsAnswer,
  policies: (_, sources) => policiesAnswer(sources),
}

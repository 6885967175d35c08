import { concerning } from "../controller/inspect/concerning.ts"
import type { Problem } from "../controller/model/problem.ts"
import { problemCatalogue } from "../controller/model/problems/catalogue.ts"
import { routeSourceName } from "../controller/model/route-source.ts"
import {
  type ProblemGroup,
  type ProblemGroups,
  type Severity,
  type StandingProblem,
  severities,
} from "../controller/model/standing-problem.ts"
import { distinctBy } from "../controller/support/distinct.ts"
import { rememberedLast } from "../controller/support/incremental/last-result.ts"
import { compareText } from "../controller/support/order.ts"
import { hasWords, type Question } from "./question.ts"
import type { Sources } from "./sources.ts"

const standing = rememberedLast<readonly Problem[], readonly StandingProblem[]>()

/** All that stand, each once, however often a pass told of it. */
export function standingOf({ problems }: Sources["lastPass"]): readonly StandingProblem[] {
  return standing(problems, [], () => {
    return distinctBy(problems, (problem) => JSON.stringify(problem)).map(standingProblem)
  })
}

const ordered = rememberedLast<readonly StandingProblem[], readonly StandingProblem[]>()

/** By their objects. */
function inOrder(all: readonly StandingProblem[]): readonly StandingProblem[] {
  return ordered(all, [], () => all.toSorted((a, b) => compareText(nameOf(a), nameOf(b))))
}

function standingProblem({ object, field, code, message }: Problem): StandingProblem {
  const { severity, remedy } = problemCatalogue[code]
  return { object, field, code, severity, message, remedy }
}

/** @throws Failure `bad-question` */
export function problemsAnswer(question: Question, { lastPass }: Sources): ProblemGroups {
  const found = inOrder(standingOf(lastPass)).filter(fits(question))
  const wanted = question.text("severity")
  const shown = wanted === "" ? found : found.filter(({ severity }) => severity === wanted)
  return {
    groups: [...Map.groupBy(shown, ({ code }) => code)]
      .map(([code, problems]) => groupOf(code as Problem["code"], problems, question))
      .sort((a, b) => rank(a) - rank(b) || b.total - a.total || compareText(a.code, b.code)),
    bySeverity: countsOf(found),
  }
}

/** @throws Failure `bad-question` */
export function concerningAnswer(question: Question, { lastPass }: Sources): readonly StandingProblem[] {
  const asked = (["ingress", "service", "host", "port"] as const).map((name) => [name, question.text(name)])
  return concerning(standingOf(lastPass), Object.fromEntries(asked))
}

export function countsOf(problems: readonly StandingProblem[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of problems) counts[severity] += 1
  return counts
}

function fits(question: Question): (problem: StandingProblem) => boolean {
  const { words } = question
  const [wanted, ingress, namespace] = [
    question.text("code"),
    question.text("ingress"),
    question.text("namespace"),
  ]
  return ({ object, code, message }) => {
    const name = `${object.namespace}/${object.name}`
    return (
      (wanted === "" || code === wanted) &&
      (ingress === "" || `${object.namespace}/${routeSourceName(object)}` === ingress) &&
      (namespace === "" || object.namespace === namespace) &&
      hasWords(words, `${object.kind} ${name}`, code, message)
    )
  }
}

function groupOf(
  code: Problem["code"],
  problems: readonly StandingProblem[],
  question: Question,
): ProblemGroup {
  const { severity, meaning, remedy } = problemCatalogue[code]
  return { code, severity, meaning, remedy, ...question.page(problems, (problem) => problem) }
}

function rank({ severity }: { readonly severity: Severity }): number {
  return severities.indexOf(severity)
}

function nameOf({ object: { kind, namespace, name } }: StandingProblem): string {
  return `${namespace}/${name} ${kind}`
}

import { type Problem, printName } from "../model/problem.ts"
import { problemCatalogue } from "../model/problems/catalogue.ts"
import { rememberedLast } from "../support/incremental/last-result.ts"
import { compareText } from "../support/order.ts"
import type { ObjectProblems, ProblemPage, Severity, ShownProblem } from "./api.ts"
import { hasWords, type Question } from "./question.ts"
import type { Sources } from "./sources.ts"

const severities: readonly Severity[] = ["error", "warning", "info"]

const grouped = rememberedLast<readonly Problem[], readonly ObjectProblems[]>()

/** The worst first. @throws Failure `bad-question` */
export function problemsAnswer(question: Question, { lastPass }: Sources): ProblemPage {
  const { words } = question
  const wanted = question.text("severity")
  const objects = byObject(lastPass.problems).filter((object) => isAbout(words, object))
  const found = objects.filter(({ problems }) => wanted === "" || problems.some(hasSeverity(wanted)))
  return {
    ...question.page(found, (object) => object),
    bySeverity: countsOf(objects.flatMap(severitiesIn), (severity) => severity),
  }
}

export function countsOf<T>(
  things: readonly T[],
  severityOf: (thing: T) => Severity,
): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const thing of things) counts[severityOf(thing)] += 1
  return counts
}

/** Each once. */
function severitiesIn({ problems }: ObjectProblems): readonly Severity[] {
  return severities.filter((severity) => problems.some(hasSeverity(severity)))
}

function isAbout(words: readonly string[], { kind, namespace, name, problems }: ObjectProblems): boolean {
  const texts = problems.flatMap(({ code, message }) => [code, message])
  return hasWords(words, `${kind} ${namespace}/${name}`, ...texts)
}

function hasSeverity(wanted: string) {
  return ({ severity }: ShownProblem) => severity === wanted
}

function byObject(problems: readonly Problem[]): readonly ObjectProblems[] {
  return grouped(problems, [], () =>
    [...Map.groupBy(problems, ({ object }) => printName(object)).values()]
      .map(objectProblems)
      .sort((a, b) => rank(a) - rank(b) || compareText(nameOf(a), nameOf(b))),
  )
}

function objectProblems(problems: readonly Problem[]): ObjectProblems {
  const { kind = "", namespace = "", name = "" } = problems[0]?.object ?? {}
  const all = problems.map(shown).sort((a, b) => rank(a) - rank(b))
  return { kind, namespace, name, severity: all[0]?.severity ?? "info", problems: all }
}

function shown({ code, field, message }: Problem): ShownProblem {
  const { severity, meaning, remedy } = problemCatalogue[code]
  return { code, severity, field, message, meaning, remedy }
}

function rank({ severity }: { readonly severity: Severity }): number {
  return severities.indexOf(severity)
}

function nameOf({ kind, namespace, name }: ObjectProblems): string {
  return `${namespace}/${name} ${kind}`
}

import type { Problem } from "../../controller/model/problem.ts"
import { problemCatalogue } from "../../controller/model/problems/catalogue.ts"
import type { Difference } from "./differences/difference.ts"
import { evidenceOf } from "./differences/matching.ts"
import { sections } from "./differences/sections.ts"
import { refusalBefore, refusalTexts } from "./refusals.ts"
import { compareRelations, type Relation, relationOf, worst } from "./relations.ts"
import type { Finding } from "./report.ts"
import type { Evidence, Matcher, Subject } from "./subject.ts"

/** The differences that objects tell, those first that say most. */
const rows = sections
  .flatMap((section) => Object.entries(section.rows))
  .flatMap(([rule, row]) =>
    typeof row.concerns === "function" ? [{ rule, row, matches: row.concerns }] : [],
  )
  .sort((a, b) => breadthOf(a.row) - breadthOf(b.row))

function breadthOf({ breadth }: Difference): number {
  return ["several", "any"].indexOf(breadth ?? "") + 1
}

/** What is known to be different about an Ingress. A Problem is explained once, and what is said of any value is not said where more is. */
export function differencesOf(subject: Subject, isComplete: boolean): readonly Finding[] {
  const explained = new Set<Problem>()
  const fields = new Set<string>()
  return rows.flatMap(({ rule, row, matches }) => {
    const evidence = news(matches, subject, explained)
      .filter(({ problem }) => !isSame(problem, subject))
      .filter(({ field, problem }) => problem !== undefined || row.breadth !== "any" || !fields.has(field))
    for (const { field, problem } of evidence) {
      fields.add(field)
      if (problem !== undefined) explained.add(problem)
    }
    return evidence.length === 0 ? [] : [ofDifference(rule, row, evidence, subject, isComplete)]
  })
}

/** ingress-nginx refuses the value as well, and comes to the same. */
function isSame(problem: Problem | undefined, { ingress }: Subject): boolean {
  const isValue = problem?.code === "annotation-refused" || problem?.code === "annotation-changed"
  return isValue && relationOf(problem, true, ingress) === "same"
}

/** Nothing, where all that it finds has been said by another row. */
function news(matches: Matcher, subject: Subject, explained: ReadonlySet<Problem>): readonly Evidence[] {
  const found = matches(subject)
  const problems = found.flatMap(({ problem }) => problem ?? [])
  if (problems.length > 0 && problems.every((problem) => explained.has(problem))) return []
  return found.filter(({ problem }) => problem === undefined || !explained.has(problem))
}

function ofDifference(
  rule: string,
  { what, before, now }: Difference,
  evidence: readonly Evidence[],
  { ingress }: Subject,
  isComplete: boolean,
): Finding {
  const problems = evidence.flatMap(({ problem }) => problem ?? [])
  const relations = new Map(problems.map((problem) => [problem, relationOf(problem, isComplete, ingress)]))
  const weighed = [...problems].sort((a, b) => compareRelations(relations.get(b), relations.get(a)))
  const [said] = weighed
  const refusal = said && refusalBefore(said, ingress)
  const [message = plain(now), ...also] = new Set(weighed.map(({ message }) => message))
  return {
    rule,
    relation: worst(["different", ...relations.values()]),
    what: plain(what),
    before: refusal === undefined ? plain(before) : refusalTexts[refusal],
    now: message,
    ...(also.length > 0 && { also }),
    ...(said && { change: problemCatalogue[said.code].remedy }),
    evidence,
  }
}

export function ofProblem(problem: Problem, relation: Relation): Finding {
  const { meaning, remedy } = problemCatalogue[problem.code]
  return {
    rule: problem.code,
    relation,
    what: meaning,
    now: problem.message,
    change: remedy,
    evidence: [evidenceOf(problem)],
  }
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/[`]|\*\*/g, "")
}

import type { Problem } from "../model/problem.ts"
import { problemCatalogue } from "../model/problems/catalogue.ts"
import type { Difference } from "./differences/difference.ts"
import { evidenceOf } from "./differences/matching.ts"
import { sections } from "./differences/sections.ts"
import { refusalBefore, refusalTexts } from "./refusals.ts"
import { type Relation, relationOf, worst } from "./relations.ts"
import type { Finding } from "./report.ts"
import type { Evidence, Matcher, Subject } from "./subject.ts"
import { withValue } from "./written.ts"

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

/** What is known to be different about an Ingress. A Problem is explained once, and each has a finding of its own. */
export function differencesOf(subject: Subject, isComplete: boolean): readonly Finding[] {
  const explained = new Set<Problem>()
  return rows.flatMap(({ rule, row, matches }) => {
    const evidence = news(matches, subject, explained).filter(({ problem }) => !isSame(problem, subject))
    for (const { problem } of evidence) if (problem !== undefined) explained.add(problem)
    return apart(evidence.map((it) => withValue(it, subject))).map((each) =>
      ofDifference(rule, row, each, subject, isComplete),
    )
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

/** By Problem, each with what it depends on. */
function apart(evidence: readonly Evidence[]): readonly (readonly Evidence[])[] {
  const besides = evidence.filter(({ problem }) => problem === undefined)
  const told = evidence.filter(({ problem }) => problem !== undefined)
  if (told.length === 0) return besides.length === 0 ? [] : [besides]
  return told.map((it) => [it, ...besides])
}

/** @param evidence with one Problem at most */
function ofDifference(
  rule: string,
  { what, before, now }: Difference,
  evidence: readonly Evidence[],
  { ingress }: Subject,
  isComplete: boolean,
): Finding {
  const said = evidence.find(({ problem }) => problem !== undefined)?.problem
  const refusal = said && refusalBefore(said, ingress)
  return {
    rule,
    relation: worst(["different", ...(said ? [relationOf(said, isComplete, ingress)] : [])]),
    what: plain(what),
    before: refusal === undefined ? plain(before) : refusalTexts[refusal],
    now: said === undefined ? plain(now) : said.message,
    ...(said && { change: problemCatalogue[said.code].remedy }),
    evidence,
  }
}

/** @param subject whose it is, if it is anybody's */
export function ofProblem(problem: Problem, relation: Relation, subject?: Subject): Finding {
  const { meaning, remedy } = problemCatalogue[problem.code]
  return {
    rule: problem.code,
    relation,
    what: meaning,
    now: problem.message,
    change: remedy,
    evidence: [subject === undefined ? evidenceOf(problem) : withValue(evidenceOf(problem), subject)],
  }
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/[`]|\*\*/g, "")
}

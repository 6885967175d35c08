import type { Options } from "../../controller/core/options/flags.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { ObjectName, Problem } from "../../controller/model/problem.ts"
import { compareText } from "../../controller/support/order.ts"
import { idleFlags } from "./controller-findings.ts"
import { leftOutBefore } from "./differences/conditions.ts"
import { sections } from "./differences/sections.ts"
import { differencesOf, ofProblem } from "./findings.ts"
import { gatewayReport } from "./gateway-findings.ts"
import { hintsOf } from "./hints.ts"
import type { LintObjects } from "./objects.ts"
import { emptied, openedOf, placesOf } from "./opened.ts"
import { refusalBefore } from "./refusals.ts"
import { relationOf, worst } from "./relations.ts"
import type { Finding, JudgedIngress, Report } from "./report.ts"
import { snippetHints } from "./snippet-hints.ts"
import type { Subject, Surroundings } from "./subject.ts"
import { namedBy } from "./subjects.ts"
import { type Translated, translated } from "./translated.ts"

// In come the objects of a cluster with ingress-nginx and its flags; out goes, for each Ingress, whether wick would serve it as before, and if
// not why. It asks the translation itself, the one that the controller runs: what that says of an object is never decided here a second time.

export interface LintOptions {
  /** the old controller's flags */
  readonly options: Options
  /** flags of it that nobody knows, as sentences */
  readonly badFlags: readonly string[]
  /** when certificates are judged, milliseconds since 1970 */
  readonly nowMs: number
}

export function lint(given: LintObjects, options: LintOptions): Report {
  return reportOn(given, translated(given.objects, options.options, options.nowMs), options)
}

/** The same of objects that are translated already. */
export function reportOn(
  given: LintObjects,
  { translation, around, subjects }: Translated,
  { options, badFlags }: Pick<LintOptions, "options" | "badFlags">,
): Report {
  const { objects, isComplete } = given
  const problems = [...objects.problems, ...translation.problems]
  const { hosts, backends } = translation.model.live
  const places = placesOf(hosts)
  const empty = new Set(backends.flatMap(({ name, endpoints }) => (endpoints.length === 0 ? [name] : [])))
  const judged = subjects.map((subject) => {
    const found = findingsOf(subject, isComplete)
    const own = [...emptied(found.own, subject, places, empty), ...openedOf(subject, places)]
    return { subject, ...found, own }
  })
  const everyone = distinct(judged.flatMap(({ general }) => general))
  const ingresses = judged
    .map(({ subject, own, notes }) =>
      judge(subject, own, notes, worst(everyone.map(({ relation }) => relation))),
    )
    .sort((a, b) => compareText(qualifiedName(a.object), qualifiedName(b.object)))
  return {
    summary: summaryOf(ingresses, given),
    everyone,
    controller: [...idleFlags(options, badFlags), ...notesOf(around.settingProblems)],
    ingresses,
    gateway: gatewayReport(given, translation),
    unread: unreadOf(problems, objects.ingresses, given.others),
  }
}

/** @returns what concerns this Ingress alone, what it shares with others through the ConfigMap or a flag, and what was wrong before, with hints */
function findingsOf(subject: Subject, isComplete: boolean) {
  const differences = differencesOf(subject, isComplete)
  const said = new Set(differences.flatMap(({ evidence }) => evidence.map(({ problem }) => problem)))
  const others = subject.problems
    .filter((problem) => !said.has(problem))
    .map((problem) => ofProblem(problem, relationOf(problem, isComplete, subject.ingress)))
  const found = [...differences, ...others.filter(({ relation }) => relation !== "same")]
  const all = isLeftOut(subject) ? found.map(withoutClosing) : found
  return {
    own: all.filter((finding) => !isGeneral(finding, subject.around)),
    general: all.filter((finding) => isGeneral(finding, subject.around)),
    notes: [
      ...others.filter(({ relation }) => relation === "same"),
      ...hintsOf(subject),
      ...snippetHints(subject),
    ],
  }
}

/** ingress-nginx serves nothing of it, whatever else stands there. */
function isLeftOut(subject: Subject): boolean {
  const { problems, ingress } = subject
  return (
    problems.some((problem) => refusalBefore(problem, ingress) === "left-out") ||
    leftOutBefore(subject).length > 0
  )
}

/** What was not served cannot be closed. */
function withoutClosing(finding: Finding): Finding {
  return finding.relation === "closed" ? { ...finding, relation: "different" } : finding
}

/** Nothing that it is about has to do with one Ingress more than with another. */
function isGeneral({ evidence }: Finding, { configMap }: Surroundings): boolean {
  return evidence.every(
    ({ object }) =>
      object.kind === "Controller" ||
      (object.kind === "ConfigMap" &&
        configMap !== undefined &&
        qualifiedName(object) === qualifiedName(configMap.meta)),
  )
}

function judge(
  { ingress, around }: Subject,
  findings: readonly Finding[],
  notes: readonly Finding[],
  ofEveryone: JudgedIngress["verdict"],
): JudgedIngress {
  const { namespace, name } = ingress.meta
  const ownVerdict = worst(findings.map(({ relation }) => relation))
  return {
    object: { kind: "Ingress", namespace, name },
    verdict: worst([ownVerdict, ofEveryone]),
    ownVerdict,
    findings,
    notes,
    unseen: unseenBy(ingress, around),
  }
}

/** Each once, in which nothing was looked for. */
function unseenBy(ingress: Ingress, { objects, options }: Surroundings): readonly ObjectName[] {
  const named = namedBy(ingress, options.annotationsPrefix).filter((object) => {
    const known = object.kind === "Secret" ? objects.secrets : objects.configMaps
    return !known.has(qualifiedName(object))
  })
  return [...new Map(named.map((object) => [`${object.kind} ${qualifiedName(object)}`, object])).values()]
}

function summaryOf(ingresses: readonly JudgedIngress[], { others }: LintObjects): Report["summary"] {
  const count = (isMeant: (judged: JudgedIngress) => boolean) => ingresses.filter(isMeant).length
  const by = (verdict: JudgedIngress["verdict"]) => count((judged) => judged.verdict === verdict)
  return {
    ingresses: ingresses.length,
    byVerdict: {
      same: by("same"),
      different: by("different"),
      closed: by("closed"),
      unread: by("unread"),
      open: by("open"),
    },
    sameByThemselves: count(({ ownVerdict }) => ownVerdict === "same"),
    sameUnseen: count(({ verdict, unseen }) => verdict === "same" && unseen.length > 0),
    others: others.length,
    beyondObjects: sections
      .flatMap(({ rows }) => Object.values(rows))
      .filter(({ concerns }) => concerns === "every-request").length,
  }
}

/** By rule and place: what concerns many is said once. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const key = ({ rule, evidence }: Finding) =>
    JSON.stringify([rule, ...evidence.map(({ object, field }) => [object, field])])
  return [...new Map(findings.map((finding) => [key(finding), finding])).values()]
}

/** Of the ConfigMap, what changes nothing for anybody. */
function notesOf(problems: readonly Problem[]): readonly Finding[] {
  return problems
    .filter((problem) => relationOf(problem, true) === "same")
    .map((problem) => ofProblem(problem, "same"))
}

/** Of Ingresses and files of which nothing is left to judge. */
function unreadOf(
  problems: readonly Problem[],
  judged: readonly Ingress[],
  others: readonly string[],
): readonly Finding[] {
  const known = new Set([...judged.map(({ meta }) => qualifiedName(meta)), ...others])
  return problems
    .filter(
      ({ object }) =>
        object.kind === "File" ||
        object.kind === "Directory" ||
        (object.kind === "Ingress" && !known.has(qualifiedName(object))),
    )
    .map((problem) => ofProblem(problem, relationOf(problem, false)))
    .filter(({ relation }) => relation !== "same")
}

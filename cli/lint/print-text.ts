import { qualifiedName } from "../../controller/model/objects/object.ts"
import { counted } from "../../controller/support/counted.ts"
import type { Finding, JudgedIngress, Report, Verdict } from "./report.ts"

// The report for people: who decides reads the first lines, who does the work the rest.

/** Lines, and how they should look. */
export interface Line {
  readonly text: string
  readonly style?: "bold" | "red" | "yellow" | "dim"
}

const headings: readonly (readonly [Verdict, string, Line["style"]])[] = [
  ["open", "Open: requests get in that were kept out", "red"],
  ["closed", "Closed: requests are refused, or lead nowhere, that may have been served", "red"],
  ["unread", "Not judged: something is missing that would tell", "yellow"],
  ["different", "Served, with differences", "yellow"],
]

/** @param isLong with what was wrong before, too */
export function reportText(report: Report, isLong: boolean): readonly Line[] {
  const { everyone, controller, unread, ingresses, gateway } = report
  return [
    ...summaryLines(report),
    ...frequentLines(ingresses),
    ...section("For all Ingresses", everyone),
    ...section(
      "The controller itself",
      controller.filter(({ relation }) => isLong || relation !== "same"),
    ),
    ...section("Not read", unread),
    ...section(
      "Gateway API",
      gateway.findings.filter(({ relation }) => isLong || relation !== "same"),
    ),
    ...headings.flatMap(([verdict, title, style]) => {
      const meant = ingresses.filter(({ ownVerdict }) => ownVerdict === verdict)
      if (meant.length === 0) return []
      return [
        blank,
        { text: title, ...(style && { style }) },
        ...meant.flatMap((it) => ingressLines(it, isLong)),
      ]
    }),
    ...(isLong ? sameLines(ingresses) : []),
    ...hintLines(ingresses),
  ]
}

const blank: Line = { text: "" }

function summaryLines({ summary, everyone, gateway }: Report): readonly Line[] {
  const { ingresses, byVerdict, sameByThemselves, sameUnseen, others, beyondObjects } = summary
  const lines: Line[] = [
    {
      text: `${byVerdict.same} of ${counted(ingresses, "Ingress", "Ingresses")} serve as before.`,
      style: "bold",
    },
    {
      text: `${byVerdict.different} serve with differences, ${byVerdict.closed} are closed in part or as a whole, ${byVerdict.unread} could not be judged.`,
    },
  ]
  if (byVerdict.open > 0)
    lines.push({
      text: `${byVerdict.open} kept requests out that get in now: do not move them as they are.`,
      style: "red",
    })
  if (everyone.length > 0)
    lines.push({
      text: `${counted(everyone.length, "finding")} about the ConfigMap or the flags concern all Ingresses; without, ${sameByThemselves} would serve as before.`,
    })
  if (sameUnseen > 0)
    lines.push({
      text: `Of those that serve as before, ${sameUnseen} name Secrets or ConfigMaps that were not read: what is in them was not looked at.`,
    })
  if (others > 0)
    lines.push({ text: `${counted(others, "Ingress", "Ingresses")} of other controllers were passed over.` })
  if (gateway.objects > 0) lines.push({ text: gatewayText(gateway) })
  lines.push({
    text: `${beyondObjects} more differences depend on what clients and backends send: docs/differences.md.`,
    style: "dim",
  })
  return lines
}

function gatewayText({ objects, findings }: Report["gateway"]): string {
  const wrong = findings.filter(({ relation }) => relation !== "same").length
  const what = wrong === 0 ? "nothing is wrong with them" : `${counted(wrong, "finding")} about them`
  return `${counted(objects, "object")} of the Gateway API: ${what}.`
}

/** What most Ingresses have to do with comes first. */
function frequentLines(ingresses: readonly JudgedIngress[]): readonly Line[] {
  const byRule = new Map<string, { count: number; what: string }>()
  for (const { findings } of ingresses)
    for (const rule of new Set(findings.map((finding) => finding.rule))) {
      const what = findings.find((finding) => finding.rule === rule)?.what ?? ""
      byRule.set(rule, { what, count: (byRule.get(rule)?.count ?? 0) + 1 })
    }
  if (byRule.size === 0) return []
  const rows = [...byRule].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
  return [
    blank,
    { text: "What it is about", style: "bold" },
    ...rows.map(([rule, { count, what }]) => ({ text: `${String(count).padStart(6)}  ${rule}: ${what}` })),
  ]
}

function section(title: string, findings: readonly Finding[]): readonly Line[] {
  if (findings.length === 0) return []
  return [
    blank,
    { text: title, style: "bold" },
    ...findings.flatMap((finding) => findingLines(finding, true)),
  ]
}

function ingressLines({ object, findings, notes }: JudgedIngress, isLong: boolean): readonly Line[] {
  const shown = isLong ? notes.filter(({ isHint }) => !isHint) : []
  return [
    { text: `  ${object.namespace}/${object.name}`, style: "bold" },
    ...[...findings, ...shown].flatMap((finding) => findingLines(finding, false)),
  ]
}

function sameLines(ingresses: readonly JudgedIngress[]): readonly Line[] {
  const same = ingresses.filter(({ ownVerdict }) => ownVerdict === "same")
  if (same.length === 0) return []
  return [blank, { text: "As before", style: "bold" }, ...same.flatMap((it) => ingressLines(it, true))]
}

const maxNamed = 3

/** Each hint once, with some of the Ingresses that it is for. */
function hintLines(ingresses: readonly JudgedIngress[]): readonly Line[] {
  const hints = ingresses.flatMap(({ notes }) => notes.filter(({ isHint }) => isHint))
  if (hints.length === 0) return []
  const byRule = [...Map.groupBy(hints, ({ rule }) => rule).values()]
  return [blank, { text: "Hints: nothing differs", style: "bold" }, ...byRule.flatMap(oneHint)]
}

function oneHint(hints: readonly Finding[]): readonly Line[] {
  const [first, ...others] = hints
  if (first === undefined) return []
  const evidence = [first, ...others.slice(0, maxNamed - 1)].flatMap((hint) => hint.evidence)
  const more = others.length < maxNamed ? "" : ` and ${hints.length - maxNamed} more`
  return findingLines({ ...first, evidence }, true, more)
}

/**
 * @param isNamed the object is not known from the lines before
 * @param more stands behind the places
 */
function findingLines(finding: Finding, isNamed: boolean, more = ""): readonly Line[] {
  const { rule, relation, before, now, also = [], change, evidence } = finding
  const mark = relation === "same" ? ", as before" : ""
  return [
    { text: `    ${sentenceOf(finding)} [${rule}${mark}]` },
    ...also.map((message) => ({ text: `    ${message}` })),
    { text: `      at:  ${placeOf(evidence, isNamed)}${more}` },
    ...(before === undefined ? [] : [{ text: `      was: ${before}` }]),
    ...(isMessage(finding) ? [] : [{ text: `      now: ${now}` }]),
    ...(change === undefined ? [] : [{ text: `      do:  ${change}` }]),
  ]
}

/** What becomes of the value that was written, or else what it is about. */
function sentenceOf(finding: Finding): string {
  return isMessage(finding) ? finding.now : finding.what
}

/** It says of this very value what wick does with it. */
function isMessage({ evidence }: Finding): boolean {
  return evidence.some(({ problem }) => problem !== undefined)
}

function placeOf(evidence: Finding["evidence"], isNamed: boolean): string {
  const places = evidence.map(({ object: { kind, namespace, name }, field }) => {
    const shown = `${kind} ${qualifiedName({ namespace, name })}`
    if (kind === "Ingress" && !isNamed) return field || "the Ingress"
    return field === "" ? shown : `${shown} ${field}`
  })
  return [...new Set(places)].join(", ")
}

import { counted } from "../../../controller/support/counted.ts"
import type { Line } from "../../lint/print-text.ts"
import type { Cause } from "./causes.ts"
import type { DiffReport, DiffSummary, Group } from "./report.ts"

// The report for people: who decides reads the first lines, who does the work the rest.

export function diffText({ summary, groups, leftOut }: DiffReport): readonly Line[] {
  return [
    ...summaryLines(summary),
    ...(leftOut.length === 0
      ? []
      : [{ text: `Not asked: ${leftOut.map(({ count, why }) => `${count} as ${why}`).join("; ")}.` }]),
    ...section(
      "Refused or not answered now, and answered before",
      groups.filter(({ isRefused }) => isRefused),
      "red",
    ),
    ...section(
      "Answered differently",
      groups.filter(({ isRefused }) => !isRefused),
      "yellow",
    ),
  ]
}

function summaryLines(summary: DiffSummary): readonly Line[] {
  const { asked, notAsked, hosts, same, different, refused, unstable, unanswered, whyUnanswered } = summary
  const lines: Line[] = [
    {
      text: `${same} of ${counted(asked, "request")} to ${counted(hosts, "host")} got the same answer from both.`,
      style: "bold",
    },
  ]
  if (notAsked > 0) lines.push({ text: `Interrupted: ${notAsked} more were not asked.`, style: "yellow" })
  if (different > 0)
    lines.push({
      text: `${different} got another answer, at ${counted(summary.hostsThatDiffer, "host")}; ${refused} of them ${refused === 1 ? "is" : "are"} refused or not answered now.`,
    })
  if (unstable > 0) lines.push({ text: `${unstable} are unstable: one side does not answer the same twice.` })
  if (unanswered > 0) {
    const why = Object.entries(whyUnanswered).map(([what, count]) => `${what}: ${count}`)
    lines.push({ text: `${unanswered} were answered by neither (${why.join(", ")}).` })
  }
  return lines
}

function section(title: string, groups: readonly Group[], style: "red" | "yellow"): readonly Line[] {
  if (groups.length === 0) return []
  return [{ text: "" }, { text: title, style }, ...groups.flatMap(groupLines)]
}

const maxNamed = 3

function groupLines({ difference, count, hosts, ingresses, causes, example }: Group): readonly Line[] {
  const { aspect, was, now } = difference
  const { request, curl, explanation } = example
  const isGeneral = was !== example.was || now !== example.now
  const more = ingresses.length - maxNamed
  const names = [...ingresses.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])].join(", ")
  const url = `${request.scheme}://${request.host}${request.target}`
  return [
    { text: `  ${aspect}: was ${was}, now ${now}`, style: "bold" },
    {
      text: `    ${counted(count, "request")} to ${counted(hosts, "host")}${names === "" ? "" : ` of ${names}`}`,
    },
    { text: `    such as ${request.method} ${url} (${request.about})` },
    ...(isGeneral ? [{ text: `      was ${example.was}, now ${example.now}` }] : []),
    ...causes.flatMap(causeLines),
    ...(explanation === undefined ? [] : [{ text: `    now: ${explanation}` }]),
    { text: `    see: ${curl}`, style: "dim" },
  ]
}

function causeLines({ rule, what, before, now, change }: Cause): readonly Line[] {
  return [
    { text: `    why: ${what} [${rule}]` },
    ...(before === undefined ? [] : [{ text: `      was: ${before}` }]),
    { text: `      now: ${now}` },
    ...(change === undefined ? [] : [{ text: `      do:  ${change}` }]),
  ]
}

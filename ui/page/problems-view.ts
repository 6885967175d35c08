import type { VNode } from "preact"
import type { ProblemGroup, ProblemGroups, Severity, StandingProblem } from "../api.ts"
import { html } from "./html.ts"
import { Answer, Badge, defined, IngressLink, Pager, paging, Search, Title } from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { countText, numberText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

/** Problems of one code at a time: each has several lines. */
const pageSize = 25

/** Codes that are opened at once, where there are no more. */
const maxOpen = 2

const severities: readonly Severity[] = ["error", "warning", "info"]

export function ProblemsView({ place: { params } }: { place: Place }): VNode {
  const { q, code, ingress } = params
  const severity = severities.find((one) => one === params.severity)
  const question = {
    ...paging(params, pageSize),
    ...(severity && { severity }),
    ...defined({ code, ingress }),
  }
  const asked = useAnswer("problems", question, 5000)
  return html`
    <${Title} of="Problems" />
    <div class="bar">
      <${Search} q=${q} label="Search objects, codes, messages" />
      <${Filter} chosen=${severity} others=${{ q, code, ingress }} counts=${asked.answer?.bySeverity} />
      ${code && html`<a class="chip" href=${hrefOf("problems", { q, severity, ingress })}>with code ${code} <span aria-hidden="true">✕</span><span class="hidden">show all</span></a>`}
      ${ingress && html`<a class="chip" href=${hrefOf("problems", { q, severity, code })}>of Ingress ${ingress} <span aria-hidden="true">✕</span><span class="hidden">show all</span></a>`}
    </div>
    <${Answer} of=${asked}>${({ groups }: ProblemGroups) => html`
      <p class="pager" role="status">${summary(groups)}</p>
      ${groups.map((group) => html`<${GroupCard} key=${group.code} group=${group} isOpen=${groups.length <= maxOpen} isAlone=${code !== undefined} />`)}
    `}<//>
  `
}

function summary(groups: readonly ProblemGroup[]): string {
  const all = groups.reduce((sum, { total }) => sum + total, 0)
  if (all === 0) return "Every object is served as it was written, as far as this list is asked for."
  return `${countText(all, "Problem")} of ${countText(groups.length, "code")}`
}

interface FilterProps {
  readonly chosen: Severity | undefined
  readonly others: Readonly<Record<string, string | undefined>>
  readonly counts: ProblemGroups["bySeverity"] | undefined
}

/** Each with what the tiles of the overview count: Problems. */
function Filter({ chosen, others, counts }: FilterProps): VNode {
  const all = counts && counts.error + counts.warning + counts.info
  const chip = (severity: Severity | undefined, text: string, count: number | undefined) =>
    html`<a class="chip" aria-current=${chosen === severity} href=${hrefOf("problems", { ...others, severity })}>${text}${count !== undefined && ` ${numberText(count)}`}</a>`
  return html`<nav class="chips" aria-label="Severity">
    ${chip(undefined, "all", all)}
    ${severities.map((severity) => chip(severity, severity, counts?.[severity]))}
  </nav>`
}

interface GroupProps {
  readonly group: ProblemGroup
  readonly isOpen: boolean
  /** the address asks for this code: then there is a way through all of them */
  readonly isAlone: boolean
}

/** One row that opens. */
function GroupCard({ group, isOpen, isAlone }: GroupProps): VNode {
  const { code, severity, meaning, remedy, total, items } = group
  const rest = total - items.length
  return html`<details class="card group" open=${isOpen}>
    <summary>
      <${Badge} severity=${severity} /> <strong class="mono">${code}</strong> <span class="count">${numberText(total)}</span>
      <span class="quiet">${meaning}.</span>
    </summary>
    <p class="todo"><span class="label">What to do</span> ${remedy}.</p>
    ${isAlone && html`<${Pager} of=${group} noun="Problem" limit=${pageSize} />`}
    <ul class="plain">${items.map(problemItem)}</ul>
    ${!isAlone && rest > 0 && html`<p><a href=${hrefOf("problems", { code })}>all ${countText(total, "Problem")} of this code</a></p>`}
  </details>`
}

function problemItem({ object: { kind, namespace, name }, field, message }: StandingProblem): VNode {
  const full = namespace === "" ? name : `${namespace}/${name}`
  return html`<li class="problem">
    <p><strong>${kind} ${kind === "Ingress" ? html`<${IngressLink} name=${full} />` : full}</strong> <span class="mono quiet">${field}</span></p>
    <p>${message}.</p>
  </li>`
}

import type { VNode } from "preact"
import type { ObjectProblems, ProblemPage, Severity, ShownProblem } from "../api.ts"
import { html } from "./html.ts"
import { Answer, Badge, IngressLink, Pager, paging, Search, Title } from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { numberText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

/** Objects at a time: each has several lines. */
const pageSize = 25

const severities: readonly Severity[] = ["error", "warning", "info"]

export function ProblemsView({ place: { params } }: { place: Place }): VNode {
  const { q } = params
  const severity = severities.find((one) => one === params.severity)
  const question = { ...paging(params, pageSize), ...(severity && { severity }) }
  const asked = useAnswer("problems", question, 5000)
  return html`
    <${Title} of="Problems" />
    <div class="bar">
      <${Search} q=${q} label="Search objects, codes, messages" />
      <${Filter} chosen=${severity} q=${q} counts=${asked.answer?.bySeverity} />
    </div>
    <${Answer} of=${asked}>${(page: ProblemPage) => html`
      <${Pager} of=${page} noun="object" limit=${pageSize} />
      ${page.items.map((object) => html`<${ObjectCard} key=${`${object.kind} ${object.namespace}/${object.name}`} object=${object} />`)}
      ${page.total === 0 && html`<p class="quiet">Every object is served as it was written, as far as this list is asked for.</p>`}
    `}<//>
  `
}

interface FilterProps {
  readonly chosen: Severity | undefined
  readonly q: string | undefined
  readonly counts: ProblemPage["bySeverity"] | undefined
}

function Filter({ chosen, q, counts }: FilterProps): VNode {
  const chip = (severity: Severity | undefined, text: string) =>
    html`<a class="chip" aria-current=${chosen === severity} href=${hrefOf("problems", { q, severity })}>${text}</a>`
  return html`<nav class="chips" aria-label="Severity">
    ${chip(undefined, "all")}
    ${severities.map((severity) => chip(severity, counts ? `${severity} ${numberText(counts[severity])}` : severity))}
  </nav>`
}

function ObjectCard({ object: { kind, namespace, name, problems } }: { object: ObjectProblems }): VNode {
  const full = namespace === "" ? name : `${namespace}/${name}`
  return html`<article class="card">
    <h2>${kind} ${kind === "Ingress" ? html`<${IngressLink} name=${full} />` : full}</h2>
    <ul class="plain">${problems.map(problemItem)}</ul>
  </article>`
}

function problemItem({ code, severity, field, message, meaning, remedy }: ShownProblem): VNode {
  return html`<li class="problem">
    <p><${Badge} severity=${severity} /> <strong>${message}.</strong></p>
    <p class="todo"><span class="label">What to do</span> ${remedy}.</p>
    <p class="quiet"><span class="mono">${field}</span> · <span class="mono">${code}</span>: ${meaning}.</p>
  </li>`
}

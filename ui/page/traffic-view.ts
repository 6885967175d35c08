import type { VNode } from "preact"
import type { Answered, IngressTraffic, TrafficPage } from "../api.ts"
import { html } from "./html.ts"
import { Answer, Badge, IngressLink, Pager, Search, sorting, Table, Title } from "./parts.ts"
import type { Place } from "./place.ts"
import { numberText, percentText, rateText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

const columns = [
  ["Ingress", "ingress"],
  ["#Requests/s", "rate"],
  ["#5xx/s", "error-rate"],
  ["#4xx/s", "refused-rate"],
  ["#Requests", "requests"],
  ["#5xx", "errors"],
  ["#4xx", "refused"],
]

export function TrafficView({ place: { params } }: { place: Place }): VNode {
  const { q } = params
  const asked = useAnswer("traffic", sorting(params), 5000)
  return html`
    <${Title} of="Traffic" />
    <p class="quiet">Answers to clients, now and since counting began. Ingresses that fail most come first.</p>
    <div class="bar"><${Search} q=${q} label="Search Ingresses" /></div>
    <${Answer} of=${asked}>${({ isCounted, ...page }: TrafficPage) =>
      isCounted
        ? html`
            <${Pager} of=${page} noun="Ingress" plural="Ingresses" />
            ${page.total > 0 && page.items.every(({ perSecond }) => perSecond === undefined) && html`<p class="quiet" role="status">Rates come with the second look, in five seconds: until then they are “–”.</p>`}
            ${page.total > 0 && html`<${Table} caption="Traffic by Ingress" columns=${columns} sort=${params.sort}>${page.items.map(row)}<//>`}
          `
        : html`<p>Requests are counted with <code>--enable-metrics</code>.</p>`}<//>
  `
}

function row({ ingress, perSecond, total }: IngressTraffic): VNode {
  return html`<tr key=${ingress}>
    <td>${ingress === "" ? html`<span class="quiet">no Ingress</span>` : html`<${IngressLink} name=${ingress} />`}</td>
    <td class="number">${perSecond ? rateText(perSecond.requests) : "–"}</td>
    <td class="number">${perSecond ? errorText(perSecond) : "–"}</td>
    <td class="number">${perSecond ? rateText(perSecond.refused) : "–"}</td>
    <td class="number">${numberText(total.requests)}</td>
    <td class="number">${numberText(total.errors)}</td>
    <td class="number">${numberText(total.refused)}</td>
  </tr>`
}

function errorText({ requests, errors }: Answered): VNode | string {
  if (errors === 0) return "0"
  return html`<${Badge} severity="error" text=${`${rateText(errors)} (${percentText(errors / requests)})`} />`
}

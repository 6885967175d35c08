import type { VNode } from "preact"
import type { ShownBackend } from "../api.ts"
import { html } from "./html.ts"
import { Answer, BackendLink, EndpointCount, Pager, Search, sorting, Table, Title } from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { countText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

const columns = [
  ["Backend", "name"],
  ["Algorithm", "algorithm"],
  ["Endpoints", "endpoints"],
  ["#Routes", "routes"],
  "Canaries",
  "Also",
]

export function BackendsView({ place: { params } }: { place: Place }): VNode {
  const { q, only } = params
  const isEmptyOnly = only === "empty"
  const asked = useAnswer("backends", { ...sorting(params), ...(isEmptyOnly && { only: "empty" }) }, 10_000)
  return html`
    <${Title} of="Backends" />
    <div class="bar">
      <${Search} q=${q} label="Search names, or addresses of endpoints" />
      <a class="chip" aria-current=${isEmptyOnly} href=${hrefOf("backends", { q, only: isEmptyOnly ? undefined : "empty" })}>without endpoint ${isEmptyOnly && html`<span aria-hidden="true">✕</span><span class="hidden">show all</span>`}</a>
    </div>
    <${Answer} of=${asked}>${(page: NonNullable<typeof asked.answer>) => html`
      <${Pager} of=${page} noun="backend" />
      ${
        page.total > 0 &&
        html`<${Table} caption="Backends" columns=${columns} sort=${params.sort}>${page.items.map(row)}<//>`
      }
    `}<//>
  `
}

function row({ name, algorithm, endpoints, routes, canaries, notes }: ShownBackend): VNode {
  return html`<tr>
    <td><${BackendLink} name=${name} /></td>
    <td>${algorithm}</td>
    <td><${EndpointCount} of=${endpoints} /></td>
    <td class="number"><a href=${hrefOf("routes", { backend: name })} aria-label=${countText(routes, "route")}>${routes}</a></td>
    <td>${canaries.map((canary) => html`<${BackendLink} name=${canary} /> `)}</td>
    <td class="notes">${notes.join("; ")}</td>
  </tr>`
}

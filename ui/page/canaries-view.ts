import type { VNode } from "preact"
import type { ShownCanary } from "../api.ts"
import { html } from "./html.ts"
import { Answer, BackendLink, EndpointCount, Pager, Search, sorting, Table, Title } from "./parts.ts"
import type { Place } from "./place.ts"
import { percentText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

const columns = [
  ["Backend", "backend"],
  ["Canary", "canary"],
  ["Endpoints", "endpoints"],
  ["#Share", "share"],
  "Takes",
]

export function CanariesView({ place: { params } }: { place: Place }): VNode {
  const { q } = params
  const asked = useAnswer("canaries", sorting(params), 10_000)
  return html`
    <${Title} of="Canaries" />
    <div class="bar"><${Search} q=${q} label="Search backends" /></div>
    <${Answer} of=${asked}>${(page: NonNullable<typeof asked.answer>) => html`
      <${Pager} of=${page} noun="canary" plural="canaries" />
      ${
        page.total > 0 &&
        html`<${Table} caption="Canaries" columns=${columns} sort=${params.sort}>${page.items.map(row)}<//>`
      }
    `}<//>
  `
}

function row({ backend, canary, takes, share, endpoints }: ShownCanary): VNode {
  return html`<tr>
    <td><${BackendLink} name=${backend} /></td>
    <td><${BackendLink} name=${canary} /></td>
    <td><${EndpointCount} of=${endpoints} /></td>
    <td class="number">${percentText(share)} <meter min="0" max="1" value=${share} aria-label="share"></meter></td>
    <td>${takes}</td>
  </tr>`
}

import type { VNode } from "preact"
import type { ShownRoute } from "../api.ts"
import { html } from "./html.ts"
import {
  Answer,
  BackendLink,
  defined,
  EndpointCount,
  IngressLink,
  Pager,
  Search,
  sorting,
  Table,
  Title,
} from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { countText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

export function RoutesView({ place: { params } }: { place: Place }): VNode {
  const { q, ingress, backend } = params
  const asked = useAnswer("routes", { ...sorting(params), ...defined({ ingress, backend }) }, 10_000)
  return html`
    <${Title} of="Routes" />
    <div class="bar">
      <${Search} q=${q} label="Search hosts, paths, Ingresses, backends" />
      ${ingress && html`<a class="chip" href=${hrefOf("routes", { q })}>of Ingress ${ingress} <span aria-hidden="true">✕</span><span class="hidden">show all</span></a>`}
      ${backend && html`<a class="chip" href=${hrefOf("routes", { q })}>to backend ${backend} <span aria-hidden="true">✕</span><span class="hidden">show all</span></a>`}
    </div>
    <${Answer} of=${asked}>${(page: NonNullable<typeof asked.answer>) => html`
      <${Pager} of=${page} noun="route" />
      ${page.total > 0 && html`<${RouteTable} routes=${page.items} sort=${params.sort ?? ""} />`}
    `}<//>
  `
}

const titles = ["Host and path", "Match", "Backend", "Ingress", "Also"]
const sorts = ["place", "match", "backend", "ingress"]

/** @param sort absent: its columns do not sort it */
export function RouteTable({ routes, sort }: { routes: readonly ShownRoute[]; sort?: string }): VNode {
  const columns = titles.map((title, at) =>
    sort === undefined || at >= sorts.length ? title : [title, sorts[at]],
  )
  return html`<${Table} caption="Routes" columns=${columns} sort=${sort}>
    ${routes.map(row)}
  <//>`
}

function row({ host, path, match, backend, endpoints, ingress, notes, problems }: ShownRoute): VNode {
  const url = host.startsWith("*.") ? `any${host.slice(1)}${path}` : `${host}${path}`
  const isPattern = match === "regex" || match === "pattern" || match === "pattern_any_case"
  const shown = html`<span class="host">${host}</span><span class="mono">${path}</span>`
  return html`<tr>
    <td>${isPattern || host === "_" ? shown : html`<a href=${hrefOf("explain", { url })} title="explain">${shown}</a>`}</td>
    <td class="quiet">${match}</td>
    <td><${BackendLink} name=${backend} /> <${EndpointCount} of=${endpoints} /></td>
    <td><${IngressLink} name=${ingress} /> ${problems > 0 && html`<a class="badge warning" href=${hrefOf("problems", { ingress })}>${countText(problems, "Problem")}</a>`}</td>
    <td class="notes">${notes.join("; ")}</td>
  </tr>`
}

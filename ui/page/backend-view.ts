import type { VNode } from "preact"
import type { BackendDetails } from "../api.ts"
import { Endpoints } from "./endpoints-part.ts"
import { html } from "./html.ts"
import { Answer, BackendLink, paging, Title } from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { RouteTable } from "./routes-view.ts"
import { countText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

/** Routes that lead to it, beside it. */
const shownRoutes = 20

export function BackendView({ place: { params } }: { place: Place }): VNode {
  const { name = "" } = params
  const asked = useAnswer("backend", { name, ...paging(params) }, 2000)
  return html`
    <nav aria-label="Way back"><a href=${hrefOf("backends")}>Backends</a></nav>
    <${Title} of=${name} />
    <${Answer} of=${asked}>${(backend: BackendDetails) => html`
      <${Settings} of=${backend} />
      <${Endpoints} of=${backend} />
      <${Routes} of=${backend} />
    `}<//>
  `
}

function Settings({ of: { algorithm, notes, canaries, takes } }: { of: BackendDetails }): VNode {
  return html`<dl class="pairs">
    <dt>algorithm</dt><dd>${algorithm}${notes.map((note) => `, ${note}`)}</dd>
    ${takes && html`<dt>canary that takes</dt><dd>${takes}</dd>`}
    ${canaries.length > 0 && html`<dt>canaries</dt><dd>${canaries.map((canary) => html`<${BackendLink} name=${canary} /> `)}</dd>`}
  </dl>`
}

function Routes({ of: { name, routes } }: { of: BackendDetails }): VNode | null {
  const asked = useAnswer("routes", { backend: name, limit: String(shownRoutes) }, 10_000)
  if (routes === 0) return html`<p class="quiet">No route leads here by itself.</p>`
  return html`<section>
    <h2><a href=${hrefOf("routes", { backend: name })}>${countText(routes, "route")}</a></h2>
    <${Answer} of=${asked}>${({ items }: NonNullable<typeof asked.answer>) => html`<${RouteTable} routes=${items} />`}<//>
  </section>`
}

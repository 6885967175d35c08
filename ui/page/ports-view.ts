import type { VNode } from "preact"
import type { ShownPort } from "../api.ts"
import { html } from "./html.ts"
import { Answer, BackendLink, Badge, EndpointCount, Pager, Search, sorting, Table, Title } from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { bytesText, numberText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

const columns = [
  ["Port", "port"],
  ["Leads to", "service"],
  ["#Open", "open"],
  ["#Sessions", "sessions"],
  ["#Failed", "failed"],
  ["#Refused", "refused"],
  ["#Bytes", "bytes"],
  "Also",
]

export function PortsView({ place: { params } }: { place: Place }): VNode {
  const asked = useAnswer("ports", sorting(params), 5000)
  return html`
    <${Title} of="Ports" />
    <p class="quiet">TCP and UDP services. Failed sessions reached no endpoint; refused ones were closed before one was chosen.</p>
    <div class="bar"><${Search} q=${params.q} label="Search ports, Services and server names" /></div>
    <${Answer} of=${asked}>${(page: NonNullable<typeof asked.answer>) => html`
      <${Pager} of=${page} noun="port" />
      ${
        page.total > 0 &&
        html`<${Table} caption="Ports of TCP and UDP services" columns=${columns} sort=${params.sort}>${page.items.map(row)}<//>`
      }
    `}<//>
  `
}

function row(shown: ShownPort): VNode {
  const { name, served, source, notes, sessions } = shown
  const number = (count: number | undefined) => (count === undefined ? "–" : numberText(count))
  const bytes = sessions && sessions.receivedBytes + sessions.sentBytes
  return html`<tr key=${name}>
    <td class="nowrap"><a class="mono" href=${explained(shown)}>${name}</a></td>
    <td>${served.map((one) => html`<${Served} of=${one} port=${shown} />`)}</td>
    <td class="number">${number(sessions?.open)}</td>
    <td class="number">${number(sessions?.total)}</td>
    <td class="number">${sessions && sessions.failed > 0 ? html`<${Badge} severity="error" text=${numberText(sessions.failed)} />` : number(sessions?.failed)}</td>
    <td class="number">${number(sessions?.refused)}</td>
    <td class="number nowrap">${bytes === undefined ? "–" : bytesText(bytes)}</td>
    <td class="notes">${[...notes, ...(source === "" ? [] : [`asked for by ${source}`])].join("; ")}</td>
  </tr>`
}

/** One line of what a port leads to. */
function Served({ of, port }: { of: ShownPort["served"][number]; port: ShownPort }): VNode {
  const { host, backend, service, endpoints } = of
  const isOther = host === "_"
  const name = html`<a href=${explained(port, isOther ? undefined : host)}>${isOther ? "all other names" : host}</a>`
  return html`<div>
    ${host !== undefined && html`${name} → `}
    ${service === "" ? html`<${BackendLink} name=${backend} />` : html`<a href=${hrefOf("backend", { name: backend })}>${service}</a>`}
    ${" "}<${EndpointCount} of=${endpoints} />
  </div>`
}

/** What becomes of a connection to it. */
function explained({ protocol, address, port, name }: ShownPort, sni?: string): string {
  const url = address === undefined ? `${protocol}://${sni ?? ""}:${port}` : name.replace(":", "://")
  return hrefOf("explain", { url, sni: address === undefined ? undefined : sni })
}

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

function row({ protocol, port, served, source, notes, sessions }: ShownPort): VNode {
  const number = (count: number | undefined) => (count === undefined ? "–" : numberText(count))
  const bytes = sessions && sessions.receivedBytes + sessions.sentBytes
  return html`<tr key=${`${protocol}:${port}`}>
    <td class="nowrap"><a class="mono" href=${explained(protocol, port)}>${protocol}:${port}</a></td>
    <td>${served.map((one) => html`<${Served} of=${one} protocol=${protocol} port=${port} />`)}</td>
    <td class="number">${number(sessions?.open)}</td>
    <td class="number">${number(sessions?.total)}</td>
    <td class="number">${sessions && sessions.failed > 0 ? html`<${Badge} severity="error" text=${numberText(sessions.failed)} />` : number(sessions?.failed)}</td>
    <td class="number">${number(sessions?.refused)}</td>
    <td class="number nowrap">${bytes === undefined ? "–" : bytesText(bytes)}</td>
    <td class="notes">${[...notes, ...(source === "" ? [] : [`asked for by ${source}`])].join("; ")}</td>
  </tr>`
}

/** One line of what a port leads to. */
function Served({
  of: { host, backend, service, endpoints },
  protocol,
  port,
}: {
  of: ShownPort["served"][number]
} & Pick<ShownPort, "protocol" | "port">): VNode {
  const isOther = host === "_"
  const name = html`<a href=${explained(protocol, port, isOther ? "" : host)}>${isOther ? "all other names" : host}</a>`
  return html`<div>
    ${host !== undefined && html`${name} → `}
    ${service === "" ? html`<${BackendLink} name=${backend} />` : html`<a href=${hrefOf("backend", { name: backend })}>${service}</a>`}
    ${" "}<${EndpointCount} of=${endpoints} />
  </div>`
}

function explained(protocol: string, port: number, host = ""): string {
  return hrefOf("explain", { url: `${protocol}://${host}:${port}` })
}

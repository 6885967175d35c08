import type { VNode } from "preact"
import type { ShownCertificate } from "../api.ts"
import { html } from "./html.ts"
import { Answer, Badge, Pager, Search, sorting, Table, Title } from "./parts.ts"
import { hrefOf, type Place } from "./place.ts"
import { countText, dayText, spanText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

/** As Problems and `wick certificates` warn. */
const soonMs = 10 * 86_400_000

const columns = [["Ends", "ends"], ["Secret", "secret"], ["Hosts", "hosts"], "Names", "Issuer", "Key"]

export function CertificatesView({ place: { params } }: { place: Place }): VNode {
  const { q } = params
  const asked = useAnswer("certificates", sorting(params), 30_000)
  return html`
    <${Title} of="Certificates" />
    <div class="bar"><${Search} q=${q} label="Search hosts and Secrets" /></div>
    <${Answer} of=${asked}>${(page: NonNullable<typeof asked.answer>) => html`
      <${Pager} of=${page} noun="certificate" />
      ${
        page.total > 0 &&
        html`<${Table} caption="Certificates" columns=${columns} sort=${params.sort ?? "ends"}>${page.items.map(row)}<//>`
      }
    `}<//>
  `
}

function row({ secret, notAfterMs, hosts, firstHosts, names, issuer, key }: ShownCertificate): VNode {
  const more = hosts - firstHosts.length
  return html`<tr>
    <td class="nowrap"><${ExpiryText} ms=${notAfterMs} /></td>
    <td>${secret ?? html`<span class="quiet">nginx's own, self-signed</span>`}</td>
    <td>${firstHosts.map((host) => html`<a href=${hrefOf("routes", { q: host })}>${host}</a> `)} ${more > 0 && html`<span class="quiet">and ${countText(more, "more host", "more hosts")}</span>`}</td>
    <td class="notes">${names.join(", ")}</td>
    <td class="notes">${issuer}</td>
    <td class="quiet">${key}</td>
  </tr>`
}

/** When it ends, and how soon that is. */
export function ExpiryText({ ms }: { ms: number }): VNode {
  const leftMs = ms - Date.now()
  const day = html`<time dateTime=${new Date(ms).toISOString()}>${dayText(ms)}</time>`
  if (leftMs <= 0) return html`${day} <${Badge} severity="error" text=${`ended ${spanText(leftMs)} ago`} />`
  if (leftMs <= soonMs) return html`${day} <${Badge} severity="warning" text=${`in ${spanText(leftMs)}`} />`
  return html`${day} <span class="quiet">in ${spanText(leftMs)}</span>`
}

import type { VNode } from "preact"
import type { Reload, Severity } from "../api.ts"
import { html } from "./html.ts"
import { Answer, Badge, Pager, paging, Table, Title } from "./parts.ts"
import type { Place } from "./place.ts"
import { agoText, momentText, msText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

const words: Readonly<Record<Reload["kind"], readonly [text: string, severity?: Severity]>> = {
  start: ["nginx was started"],
  reload: ["reload"],
  failed: ["failed", "error"],
  died: ["nginx died", "error"],
}

export function ReloadsView({ place: { params } }: { place: Place }): VNode {
  const asked = useAnswer("reloads", paging(params), 5000)
  return html`
    <${Title} of="Reloads" />
    <p class="quiet">nginx reloads only for what it can take from configuration text alone. Hosts, paths, endpoints and certificates are data, and need none. The last 100 are kept.</p>
    <${Answer} of=${asked}>${(page: NonNullable<typeof asked.answer>) => html`
      <${Pager} of=${page} noun="entry" plural="entries" />
      ${
        page.total > 0 &&
        html`<${Table} caption="Reloads, the newest first" columns=${["When", "What", "Because of", "#Took", "Configuration"]}>${page.items.map(row)}<//>`
      }
    `}<//>
  `
}

function row({ atMs, kind, reasons, ms, hash, error }: Reload): VNode {
  return html`<tr>
    <td><time dateTime=${new Date(atMs).toISOString()}>${momentText(atMs)}</time></td>
    <td><${What} kind=${kind} /></td>
    <td>${reasons.join(", ")} ${error && html`<span class="notes">${error}</span>`}</td>
    <td class="number">${ms !== undefined && msText(ms)}</td>
    <td class="mono quiet">${hash}</td>
  </tr>`
}

/** One in a few words. */
export function ReloadLine({
  reload: { kind, atMs, reasons, error },
  nowMs,
}: {
  reload: Reload
  nowMs: number
}): VNode {
  const because = error ?? reasons.join(", ")
  return html`The last entry: <${What} kind=${kind} /> ${agoText(atMs, nowMs)}${because && `, ${because}`}`
}

function What({ kind }: Pick<Reload, "kind">): VNode {
  const [text, severity] = words[kind]
  return severity === undefined ? html`${text}` : html`<${Badge} severity=${severity} text=${text} />`
}

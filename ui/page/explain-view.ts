import type { VNode } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Explained } from "../api.ts"
import { html } from "./html.ts"
import { Answer, BackendLink, defined, IngressLink, Table, Title } from "./parts.ts"
import { go, type Place } from "./place.ts"
import { countText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

export function ExplainView({ place: { params } }: { place: Place }): VNode {
  const { url = "", client, header, sni } = params
  return html`
    <${Title} of="Explain" />
    <${Form} url=${url} client=${client} header=${header} />
    ${
      url === ""
        ? html`<p class="quiet">nginx itself is asked which route it takes, and says what it does with it. Nothing is sent to a backend.</p>`
        : html`<${Outcome} question=${{ url, ...defined({ client, header, sni }) }} />`
    }
  `
}

interface Given {
  readonly url: string
  readonly client?: string
  readonly header?: string
  /** of a port that an address has for itself; no field of the form */
  readonly sni?: string
}

/** Its fields follow the address, as on the way back. */
function Form({ url, client = "", header = "" }: Given): VNode {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    for (const [name, text] of Object.entries({ url, client, header })) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = text
    }
  }, [url, client, header])
  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(given.get(name) ?? "").trim()
    go("explain", { url: text("url"), client: text("client"), header: text("header") })
  }
  return html`<form ref=${form} class="explain" onSubmit=${submitted}>
    <label for="url">What becomes of a request for, or of a connection to tcp://HOST:PORT</label>
    <span class="with-button">
      <input id="url" name="url" class="search" type="text" inputmode="url" required placeholder="https://shop.example.com/cart" autocomplete="off" spellcheck=${false} />
      <button type="submit">Explain</button>
    </span>
    <details open=${client + header !== ""}>
      <summary>from a certain client, with certain headers</summary>
      <label for="client">Client, by which address lists decide</label>
      <input id="client" name="client" placeholder="203.0.113.7" autocomplete="off" />
      <label for="header">Headers, one in each line</label>
      <textarea id="header" name="header" rows="3" placeholder="Accept-Language: de"></textarea>
    </details>
  </form>`
}

function Outcome({ question }: { question: Given }): VNode {
  const asked = useAnswer("explain", question)
  return html`<${Answer} of=${asked}>${(found: Explained) => html`
    <p role="status" class=${`notice ${isWell(found) ? "well" : "warning"}`}><strong>${found.headline}.</strong></p>
    <${Facts} of=${found} />
    <${NotTaken} of=${found} />
    <p class=${`notice ${isWell(found) ? "well" : "warning"}`}>${found.gets}.</p>
  `}<//>`
}

function isWell({ outcome, status = 200 }: Explained): boolean {
  return outcome !== "closed" && (outcome !== "answered" || status < 400)
}

function Facts({ of: { facts, ingress, backend, canaries } }: { of: Explained }): VNode | null {
  if (facts.length === 0) return null
  return html`<section>
    <h2>Why</h2>
    <dl class="pairs wide">
      ${ingress && html`<dt>Ingress</dt><dd><${IngressLink} name=${ingress} /></dd>`}
      ${facts.map(([name, text]) => html`<dt>${name}</dt><dd class="mono">${text}</dd>`)}
      ${backend && html`<dt>look at</dt><dd><${BackendLink} name=${backend} /> ${canaries.map((canary) => html` <${BackendLink} name=${canary} />`)}</dd>`}
    </dl>
  </section>`
}

function NotTaken({ of: { notTaken, notTakenTotal, otherHosts } }: { of: Explained }): VNode | null {
  if (notTaken.length + otherHosts.length === 0) return null
  return html`<section>
    <h2>Not taken</h2>
    <${Table} caption="Routes that were not taken" columns=${["Host and path", "Match", "Ingress", "Why not"]}>
      ${notTaken.map(
        ({ host, path, match, ingress, why, isRival }) => html`<tr class=${isRival ? "" : "quiet"}>
          <td><span class="host">${host}</span><span class="mono">${path}</span></td>
          <td>${match}</td>
          <td><${IngressLink} name=${ingress} /></td>
          <td>${why}</td>
        </tr>`,
      )}
      ${otherHosts.map(
        ({ host, routes, why }) => html`<tr class="quiet">
          <td><span class="host">${host}</span></td>
          <td>${countText(routes, "route")}</td>
          <td></td>
          <td>${why}</td>
        </tr>`,
      )}
    <//>
    ${notTakenTotal > notTaken.length && html`<p class="quiet">and ${countText(notTakenTotal - notTaken.length, "more route", "more routes")}</p>`}
  </section>`
}

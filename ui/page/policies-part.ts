import type { VNode } from "preact"
import type { ShownPolicy } from "../api.ts"
import { html } from "./html.ts"
import { Badge } from "./parts.ts"
import { countText, numberText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

/** Balancing policies of others; nothing where none is allowed. */
export function Policies(): VNode | null {
  const { answer = [] } = useAnswer("policies", {}, 5000)
  if (answer.length === 0) return null
  return html`<section>
    <h2>Balancing policies</h2>
    <ul class="plain">${answer.map(policyLine)}</ul>
  </section>`
}

function policyLine({ name, state, digest, reason, users, picks, faults }: ShownPolicy): VNode {
  const version = digest === undefined ? "round robin" : `sha256:${digest.slice(0, 12)}`
  return html`<li>
    <strong>${name}</strong> ${reason === undefined ? state : html`<${Badge} severity="warning" text=${state} />`}
    <span class="quiet">${version}, ${countText(users, "backend")}, ${countText(picks, "pick")}, ${numberText(faults)} failed</span>
    ${reason && html`<br />${reason}`}
  </li>`
}

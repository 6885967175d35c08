import type { ComponentChildren, VNode } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Page, Severity } from "../api.ts"
import { html } from "./html.ts"
import { hrefOf, type Place, refine } from "./place.ts"
import { countText, numberText } from "./texts.ts"
import type { Answered } from "./use-answer.ts"

// What views are made of.

/** Rows at a time: what is drawn at once without anybody waiting for it. */
const pageSize = 50

/** Which part of a list the address asks for, and by what words. */
export function paging(
  { q, offset }: Place["params"],
  limit = pageSize,
): { q?: string; offset?: string; limit: string } {
  return { ...defined({ q, offset }), limit: String(limit) }
}

/** The same of a list whose columns sort it. */
export function sorting(params: Place["params"]): ReturnType<typeof paging> & { sort?: string } {
  return { ...paging(params), ...defined({ sort: params.sort }) }
}

/** Without what is absent. */
export function defined<T extends Readonly<Record<string, string | undefined>>>(
  params: T,
): { [Name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(params).filter(([, text]) => text !== undefined)) as {
    [Name in keyof T]?: string
  }
}

export function Title({ of, children }: { of: string; children?: ComponentChildren }): VNode {
  useEffect(() => {
    document.title = `${of} – wick`
  }, [of])
  return html`<div class="title"><h1 tabindex="-1">${of}</h1>${children}</div>`
}

/** A field for words; what is found follows at once. Typing in it is not disturbed. */
export function Search({ q = "", label }: { q: string | undefined; label: string }): VNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = q
  }, [q])
  const typed = ({ currentTarget }: InputEvent) => {
    refine({ q: (currentTarget as HTMLInputElement).value.trim(), offset: undefined })
  }
  return html`<input ref=${field} class="search" type="search" aria-label=${label} placeholder=${label}
    title="press / to come here" defaultValue=${q} onInput=${typed} autocomplete="off" spellcheck=${false} />`
}

/** Says why there is nothing, or shows what there is. @param children of the answer alone: drawn anew with another one only */
export function Answer<T>({
  of: { answer, error, isLate },
  children,
}: {
  of: Answered<T>
  children: (answer: T) => ComponentChildren
}): VNode {
  const shown = useMemo(() => (answer === undefined ? undefined : children(answer)), [answer])
  return html`<div aria-busy=${isLate}>
    ${error && html`<p class="notice error" role="alert">${error}.</p>`}
    ${shown ?? (!error && html`<p class="quiet">Asking wick …</p>`)}
  </div>`
}

/** How many there are, and the way through them. */
export function Pager({
  of: { total, offset, items },
  noun,
  plural = `${noun}s`,
  limit = pageSize,
}: {
  of: Page<unknown>
  noun: string
  plural?: string
  limit?: number
}): VNode {
  const last = offset + items.length
  const all = countText(total, noun, plural)
  const text = items.length === total ? all : `${numberText(offset + 1)}–${numberText(last)} of ${all}`
  const to = (label: string, at: number, isThere: boolean) =>
    html`<button type="button" disabled=${!isThere} onClick=${() => refine({ offset: String(at) })}>${label}</button>`
  return html`<div class="pager">
    <span role="status">${total === 0 ? `No ${plural}` : text}</span>
    ${
      items.length < total &&
      html`<span class="steps">
      ${to("Previous", Math.max(0, offset - limit), offset > 0)} ${to("Next", offset + limit, last < total)}
    </span>`
    }
  </div>`
}

/** A title, which begins with # where numbers are below it; with the name of what the list can be sorted by. */
type Column = string | readonly [title: string, sort: string]

/** @param sort as the address asks for it: `NAME`, or `-NAME` from the largest on */
export function Table({
  caption,
  columns,
  sort,
  children,
}: {
  caption: string
  columns: readonly Column[]
  sort?: string | undefined
  children: ComponentChildren
}): VNode {
  const head = columns.map((column) => html`<${Head} column=${column} sorted=${sort} />`)
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="hidden">${caption}</caption>
      <thead><tr>${head}</tr></thead>
      <tbody>${children}</tbody>
    </table>
  </div>`
}

/** Sorts when it is pressed: numbers from the largest on first, texts from the first on, and then the other way round. */
function Head({ column, sorted = "" }: { column: Column; sorted: string | undefined }): VNode {
  const [text, name] = typeof column === "string" ? [column] : column
  const isNumber = text.startsWith("#")
  const title = isNumber ? text.slice(1) : text
  const style = isNumber ? "number" : ""
  if (name === undefined) return html`<th scope="col" class=${style}>${title}</th>`
  const [rising, falling] = [name, `-${name}`]
  const first = isNumber ? falling : rising
  const next = sorted === first ? (isNumber ? rising : falling) : first
  const order = sorted === rising ? "ascending" : sorted === falling ? "descending" : undefined
  const sign = order === undefined ? "↕" : order === "ascending" ? "▲" : "▼"
  return html`<th scope="col" class=${style} aria-sort=${order}>
    <button type="button" class="sort" onClick=${() => refine({ sort: next, offset: undefined })}>${title} <span aria-hidden="true">${sign}</span></button>
  </th>`
}

const signs: Readonly<Record<Severity, string>> = { error: "✕", warning: "!", info: "i" }

export function Badge({ severity, text = severity }: { severity: Severity; text?: string }): VNode {
  return html`<span class=${`badge ${severity}`}><span aria-hidden="true">${signs[severity]}</span> ${text}</span>`
}

/** How many endpoints a backend has: none is what to look at. */
export function EndpointCount({ of }: { of: number | undefined }): VNode {
  if (of === undefined) return html`<${Badge} severity="error" text="not in force" />`
  return of === 0
    ? html`<${Badge} severity="error" text="no endpoint" />`
    : html`<span class="quiet">${countText(of, "endpoint")}</span>`
}

export function BackendLink({ name }: { name: string }): VNode {
  return html`<a class="mono" href=${hrefOf("backend", { name })}>${name}</a>`
}

export function IngressLink({ name }: { name: string }): VNode {
  return name === ""
    ? html`<span class="quiet">wick itself</span>`
    : html`<a href=${hrefOf("routes", { ingress: name })}>${name}</a>`
}

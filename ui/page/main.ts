import { render, type VNode } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Overview } from "../api.ts"
import { BackendView } from "./backend-view.ts"
import { BackendsView } from "./backends-view.ts"
import { CanariesView } from "./canaries-view.ts"
import { CertificatesView } from "./certificates-view.ts"
import { ExplainView } from "./explain-view.ts"
import { html } from "./html.ts"
import { OverviewView } from "./overview-view.ts"
import { Badge, Title } from "./parts.ts"
import { hrefOf, type Place, usePlace } from "./place.ts"
import { PortsView } from "./ports-view.ts"
import { ProblemsView } from "./problems-view.ts"
import { ReloadsView } from "./reloads-view.ts"
import { RoutesView } from "./routes-view.ts"
import { numberText } from "./texts.ts"
import { TrafficView } from "./traffic-view.ts"
import { useAnswer } from "./use-answer.ts"

// What an operator looks at when something is wrong: what is in force, why, and what is wrong with what was asked for. It changes nothing.

type View = (props: { place: Place }) => VNode

const views: Readonly<Record<string, View>> = {
  traffic: TrafficView,
  explain: ExplainView,
  routes: RoutesView,
  backends: BackendsView,
  backend: BackendView,
  canaries: CanariesView,
  ports: PortsView,
  certificates: CertificatesView,
  problems: ProblemsView,
  reloads: ReloadsView,
}

interface Entry {
  readonly view: string
  readonly text: string
  readonly count?: (overview: Overview) => number
}

const entries: readonly Entry[] = [
  { view: "", text: "Overview" },
  { view: "traffic", text: "Traffic" },
  { view: "explain", text: "Explain" },
  { view: "routes", text: "Routes", count: ({ counts }) => counts.routes },
  { view: "backends", text: "Backends", count: ({ counts }) => counts.backends },
  { view: "canaries", text: "Canaries", count: ({ counts }) => counts.canaries },
  { view: "ports", text: "Ports", count: ({ counts }) => counts.ports },
  { view: "certificates", text: "Certificates", count: ({ counts }) => counts.certificates },
  {
    view: "problems",
    text: "Problems",
    count: ({ problems }) => problems.error + problems.warning + problems.info,
  },
  { view: "reloads", text: "Reloads", count: ({ reloads }) => reloads },
]

/** How often the numbers of the head are asked for. */
const everyMs = 2000

function Page(): VNode {
  const place = usePlace()
  const { answer: overview, error } = useAnswer("overview", {}, everyMs)
  const main = useRef<HTMLElement>(null)
  useSlash()
  useHeading(place)
  const skip = (event: Event) => {
    event.preventDefault()
    main.current?.focus()
  }
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header>
      <a class="brand" href=${hrefOf("")} aria-label="wick, overview"><img src="/page/icon.svg" alt="" width="22" height="22" /> wick</a>
      <nav aria-label="Views"><ul>${entries.map((entry) => html`<${NavItem} entry=${entry} place=${place} overview=${overview} />`)}</ul></nav>
      <${Instance} overview=${overview} error=${error} />
    </header>
    <main id="main" ref=${main} tabindex="-1"><${Chosen} place=${place} overview=${overview} /></main>
  `
}

function NavItem({
  entry,
  place,
  overview,
}: {
  entry: Entry
  place: Place
  overview: Overview | undefined
}): VNode {
  const { view, text, count } = entry
  const isHere = place.view === view || (view === "backends" && place.view === "backend")
  const hasErrors = view === "problems" && overview !== undefined && overview.problems.error > 0
  return html`<li>
    <a href=${hrefOf(view)} aria-current=${isHere ? "page" : undefined}>
      ${text} ${count && overview && html`<span class=${`count ${hasErrors ? "error" : ""}`}>${numberText(count(overview))}</span>`}
    </a>
  </li>`
}

/** Which of several replicas this is, and whether it answers. */
function Instance({ overview, error }: { overview: Overview | undefined; error: string | undefined }): VNode {
  const { namespace = "", pod = "" } = overview?.instance ?? {}
  const name = pod === "" ? "" : `${namespace}/${pod}`
  if (error !== undefined)
    return html`<p class="instance" role="alert">${name} <${Badge} severity="error" text="does not answer" /></p>`
  if (overview?.trouble !== undefined)
    return html`<p class="instance">${name} <${Badge} severity="error" text="not ready" /></p>`
  return html`<p class="instance">${name} ${overview && html`<span class="badge well">serving</span>`}</p>`
}

function Chosen({ place, overview }: { place: Place; overview: Overview | undefined }): VNode {
  const Chosen = views[place.view]
  // The same element again is not drawn again, however often the numbers of the head change.
  const chosen = useMemo(() => Chosen && html`<${Chosen} place=${place} />`, [place])
  if (chosen !== undefined) return chosen
  if (place.view !== "")
    return html`<${Title} of="Nothing is here" /><p><a href=${hrefOf("")}>To the overview</a></p>`
  return overview === undefined
    ? html`<${Title} of="Overview" /><p class="quiet">Asking wick …</p>`
    : html`<${OverviewView} overview=${overview} />`
}

/** Another view begins at its heading: for the keyboard, and for screen readers. */
function useHeading({ view, params: { name } }: Place): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>("main h1")?.focus()
    isFirst.current = false
  }, [view, name])
}

/** The key leads to the field for words, but where somebody writes. */
function useSlash(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isWriting =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      const field = document.querySelector<HTMLInputElement>("input.search")
      if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey || field === null)
        return
      event.preventDefault()
      field.focus()
      field.select()
    }
    addEventListener("keydown", pressed)
    return () => removeEventListener("keydown", pressed)
  }, [])
}

const place = document.getElementById("page")
if (place !== null) render(html`<${Page} />`, place)

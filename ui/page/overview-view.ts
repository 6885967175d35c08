import type { VNode } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Overview, Reload, Sample, Severity, Zone } from "../api.ts"
import { ask } from "./api-client.ts"
import { ExpiryText } from "./certificates-view.ts"
import { html } from "./html.ts"
import { Answer, Badge, Title } from "./parts.ts"
import { hrefOf } from "./place.ts"
import { Plot } from "./plot.ts"
import { Policies } from "./policies-part.ts"
import { ReloadLine } from "./reloads-view.ts"
import { agoText, bytesText, countText, msText, numberText, percentText, rateText } from "./texts.ts"
import { useAnswer } from "./use-answer.ts"

export function OverviewView({ overview }: { overview: Overview }): VNode {
  const { counts, problems } = overview
  return html`
    <${Title} of="Overview" />
    <${Standing} overview=${overview} />
    <ul class="tiles" aria-label="What is in force">
      <${Tile} view="routes" count=${counts.ingresses} noun="Ingress" plural="Ingresses" />
      <${Tile} view="routes" count=${counts.routes} noun="route" more=${countText(counts.hosts, "host")} />
      <${Tile} view="backends" count=${counts.backends} noun="backend" more=${countText(counts.endpoints, "endpoint")} />
      <${Tile} view="backends" params=${{ only: "empty" }} count=${counts.emptyBackends} noun="without endpoint" plural="without endpoint" severity=${counts.emptyBackends > 0 ? "warning" : undefined} />
      <${Tile} view="canaries" count=${counts.canaries} noun="canary" plural="canaries" />
      <${Tile} view="certificates" count=${counts.certificates} noun="certificate" />
      <${Tile} view="problems" params=${{ severity: "error" }} count=${problems.error} noun="error" severity=${problems.error > 0 ? "error" : undefined} />
      <${Tile} view="problems" params=${{ severity: "warning" }} count=${problems.warning} noun="warning" severity=${problems.warning > 0 ? "warning" : undefined} />
    </ul>
    <${Plots} overview=${overview} />
    <div class="columns">
      <${NextToEnd} />
      <${LastReload} overview=${overview} />
      <${Zones} overview=${overview} />
      <${VersionList} overview=${overview} />
      <${Policies} />
    </div>
  `
}

/** One sentence that says whether somebody has to get up. */
function Standing({
  overview: { trouble, problems, lastPass, nowMs, versions },
}: {
  overview: Overview
}): VNode {
  const severity: Severity | "well" = trouble !== undefined || problems.error > 0 ? "error" : "well"
  const what =
    trouble !== undefined
      ? `It should get no traffic: ${trouble}.`
      : problems.error > 0
        ? `nginx serves what it can; ${countText(problems.error, "Problem")} left something out.`
        : "nginx serves everything that was asked for."
  const pass =
    lastPass && `The last pass took ${msText(lastPass.ms)} and ended ${agoText(lastPass.atMs, nowMs)}.`
  return html`<p class=${`notice ${severity}`}>
    <strong>${what}</strong> ${pass}
    ${versions.isOutdated && " nginx was started from other files than there are now: a restart of the controller replaces it."}
  </p>`
}

interface TileProps {
  readonly view: string
  readonly params?: Readonly<Record<string, string>>
  readonly count: number
  readonly noun: string
  readonly plural?: string
  readonly more?: string
  readonly severity?: Severity | undefined
}

function Tile({ view, params = {}, count, noun, plural = `${noun}s`, more, severity }: TileProps): VNode {
  return html`<li>
    <a class=${`tile ${severity ?? ""}`} href=${hrefOf(view, params)}>
      <strong>${numberText(count)}</strong> <span>${count === 1 ? noun : plural}</span> ${more && html`<small>${more}</small>`}
    </a>
  </li>`
}

function Plots({ overview: { lastReload } }: { overview: Overview }): VNode {
  const samples = useSamples()
  const later = samples.slice(1)
  const times = later.map(({ atMs }) => atMs)
  const marks = lastReload === undefined ? [] : [lastReload.atMs]
  return html`<section class="plots" aria-label="The last half hour">
    <${Plot} title="Requests per second" times=${times} values=${samples.slice(1).map((sample, at) => rateOf(samples[at], sample))} text=${rateText} marks=${marks} />
    <${Plot} title="Connections of clients" times=${times} values=${later.map(({ active }) => active)} text=${(value: number) => numberText(Math.round(value))} marks=${marks} />
  </section>`
}

/** Null across a restart of nginx, which begins to count anew. */
function rateOf(before: Sample | undefined, sample: Sample): number | null {
  if (before === undefined || sample.requests < before.requests) return null
  return ((sample.requests - before.requests) * 1000) / (sample.atMs - before.atMs)
}

/** All, and then only what is new. */
function useSamples(): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    const given = new AbortController()
    let known: readonly Sample[] = []
    const look = async () => {
      const since = String(known.at(-1)?.atMs ?? 0)
      const fresh = await ask("samples", { since }, given.signal).catch(() => undefined)
      if (fresh === undefined || fresh.samples.length === 0) return
      known = [...known, ...fresh.samples].slice(-maxSamples)
      setSamples(known)
    }
    void look()
    const timer = setInterval(() => document.hidden || void look(), 5000)
    return () => {
      given.abort()
      clearInterval(timer)
    }
  }, [])
  return samples
}

const maxSamples = 360

function NextToEnd(): VNode {
  const asked = useAnswer("certificates", { limit: "4" }, 60_000)
  return html`<section>
    <h2><a href=${hrefOf("certificates")}>Certificates that end next</a></h2>
    <${Answer} of=${asked}>${({ items }: NonNullable<typeof asked.answer>) =>
      items.length === 0
        ? html`<p class="quiet">No host has a certificate.</p>`
        : html`<ul class="plain">
            ${items.map(
              ({ secret = "nginx's own", notAfterMs, hosts }) =>
                html`<li><${ExpiryText} ms=${notAfterMs} /> ${secret} <span class="quiet">${countText(hosts, "host")}</span></li>`,
            )}
          </ul>`}<//>
  </section>`
}

function LastReload({ overview: { lastReload, reloads, nowMs } }: { overview: Overview }): VNode {
  return html`<section>
    <h2><a href=${hrefOf("reloads")}>Reloads</a></h2>
    <p>${countText(reloads, "reload")} since this controller was started; all other changes needed none.</p>
    ${lastReload && html`<p><${ReloadLine} reload=${lastReload satisfies Reload} nowMs=${nowMs} /></p>`}
  </section>`
}

function Zones({ overview: { zones, filter } }: { overview: Overview }): VNode {
  return html`<section>
    <h2>Shared memory and filter</h2>
    <table class="small">
      <caption class="hidden">Zones of shared memory</caption>
      <thead class="hidden"><tr><th scope="col">Zone</th><th scope="col">Used</th><th scope="col">Of, and who uses most of it</th></tr></thead>
      <tbody>${zones.map(
        ({ name, usedBytes, bytes, most }) => html`<tr>
          <th scope="row">${name}</th>
          <td class="number">${percentText(usedBytes / bytes)}</td>
          <td><meter min="0" max=${bytes} high=${bytes * 0.8} value=${usedBytes} aria-label=${`${name}: used`}></meter> <span class="quiet">${bytesText(bytes)}</span>${most && html`<small>${mostText(most)}</small>`}</td>
        </tr>`,
      )}</tbody>
    </table>
    ${
      filter &&
      html`<p>${filter.faults === 0 ? "The filter has not failed." : html`<${Badge} severity="warning" text=${`The filter failed ${countText(filter.faults, "time")}`} />`}
      ${filter.fallbacks > 0 && ` nginx chose ${countText(filter.fallbacks, "endpoint")} itself.`}</p>`
    }
  </section>`
}

/** `shop 12% of its share` */
function mostText({ namespace, bytes, shareBytes }: NonNullable<Zone["most"]>): string {
  const amount =
    shareBytes === undefined ? bytesText(bytes) : `${percentText(bytes / shareBytes)} of its share`
  return `${namespace}: ${amount}`
}

function VersionList({ overview: { versions, instance, nowMs } }: { overview: Overview }): VNode {
  const rows = [
    [
      "wick",
      `${versions.wick}, ${versions.commit === undefined ? "from a checkout" : `commit ${versions.commit}`}`,
    ],
    ["nginx", versions.nginx],
    ["filter", `sha256:${versions.filter.slice(0, 12)}`],
    ["configuration", versions.conf?.slice(0, 12) ?? "not known"],
    ["Node", versions.node],
    ["class", instance.controllerClass],
    ["started", agoText(instance.startedMs, nowMs)],
    ...(instance.isLeader === undefined
      ? []
      : [["leader", instance.isLeader ? "yes: writes status and Events" : "no"]]),
  ]
  return html`<section>
    <h2>Versions in force</h2>
    <dl class="pairs">${rows.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>
  </section>`
}

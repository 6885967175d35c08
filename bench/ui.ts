// How long the page takes for what somebody does, with 10,000 Ingresses: in a real browser, from the event to the picture that shows all of it.
// Writes bench/results/ui.md; takes some minutes.
import { setTimeout as pause } from "node:timers/promises"
import type { Page } from "playwright-core"
import { startChromium, Tab } from "../harness/chromium.ts"
import { ask } from "../harness/http.ts"
import { ingress, ingressClass, listOf, secret, withTls } from "../harness/manifests.ts"
import { rootAuthority } from "../harness/pki.ts"
import { freePorts } from "../harness/ports.ts"
import { Random } from "../harness/random.ts"
import { write } from "../harness/report.ts"
import { largest, median, quantile } from "../harness/statistics.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { Population } from "./support/population.ts"

const count = 10_000
const certificates = 500
const wrong = 500
const rounds = 15

/** What somebody does; the page shows the result when `isShown` holds, and nothing is on its way any more. */
interface Interaction {
  readonly name: string
  readonly from: string
  readonly act: string
  readonly isShown: string
}

const rows = "document.querySelectorAll('main tbody tr').length"
const shownCount = "document.querySelector('main [role=status]')?.textContent ?? ''"
const heading = "document.querySelector('h1')?.textContent"
const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click()`
const type = (text: string) =>
  `const field = document.querySelector('input.search'); field.focus(); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new InputEvent('input', { bubbles: true }))`

const interactions: readonly Interaction[] = [
  {
    name: "open the routes",
    from: "#/reloads",
    act: click("header a[href='#/routes']"),
    isShown: `${heading} === 'Routes' && ${rows} === 50`,
  },
  {
    name: "type the first letter of a search",
    from: "#/routes",
    act: type("s"),
    isShown: `${rows} === 50 && location.hash.includes('q=s')`,
  },
  {
    name: "type on: one host of all",
    from: "#/routes?q=bad42.tes",
    act: type("bad42.test"),
    isShown: `/^1 route$/.test(${shownCount})`,
  },
  {
    name: "search for what there is not",
    from: "#/routes",
    act: type("nowhere at all"),
    isShown: `/^No routes$/.test(${shownCount})`,
  },
  {
    name: "empty the search",
    from: "#/routes?q=bad42.test",
    act: type(""),
    isShown: `${rows} === 50`,
  },
  {
    name: "the next fifty routes",
    from: "#/routes",
    act: "[...document.querySelectorAll('.pager button')].at(-1).click()",
    isShown: `/^51–100 of/.test(${shownCount})`,
  },
  {
    name: "have a path explained (nginx is asked)",
    from: "#/routes?q=bad42.test",
    act: click("tbody a"),
    isShown: "document.querySelector('.notice')?.textContent.includes('bad42.test')",
  },
  {
    name: "open the backends",
    from: "#/reloads",
    act: click("header a[href='#/backends']"),
    isShown: `${heading} === 'Backends' && ${rows} === 50`,
  },
  {
    name: "open a backend",
    from: "#/backends?q=4242",
    act: click("tbody a"),
    isShown: `document.querySelectorAll('main .scroll').length === 2 && ${rows} >= 2`,
  },
  {
    name: "open the Problems",
    from: "#/reloads",
    act: click("header a[href='#/problems']"),
    isShown: "document.querySelectorAll('.card').length === 25",
  },
  {
    name: "only the warnings",
    from: "#/problems",
    act: click("a.chip[href='#/problems?severity=warning']"),
    isShown: "location.hash.includes('warning')",
  },
  {
    name: "open the certificates",
    from: "#/reloads",
    act: click("header a[href='#/certificates']"),
    isShown: `${heading} === 'Certificates' && ${rows} === 50`,
  },
  {
    name: "open the overview",
    from: "#/reloads",
    act: click("header a[href='#/']"),
    isShown:
      "document.querySelectorAll('.tile').length === 8 && document.querySelectorAll('canvas').length === 2",
  },
]

const [uiPort = 0, endpointPort = 0] = await freePorts(2)
const origin = `http://127.0.0.1:${uiPort}`
const authority = await rootAuthority()
const population = new Population(count - wrong - certificates, new Random(7), endpointPort)
const more = await Promise.all(
  Array.from({ length: certificates }, async (_, n) => {
    const issued = await authority.issue({
      names: [`tls${n}.test`],
      until: new Date(Date.now() + (n + 1) * 86_400_000),
    })
    return [
      secret(`tls/t${n}`, issued.tlsData()),
      withTls(ingress(`tls/t${n}`, `tls${n}.test/ → web:80`), `tls${n}.test=t${n}`),
    ]
  }),
)
const bad = Array.from({ length: wrong }, (_, n) =>
  ingress(`bad/b${n}`, `bad${n}.test/ → web:80`, { "proxy-read-timeout": "soon" }),
)
const objects = [ingressClass, ...population.objects(), ...more.flat(), ...bad]
await using wick = await startWick({
  manifests: { "all.json": listOf(objects) },
  flags: [`--ui-port=${uiPort}`],
  timeoutMs: 300_000,
})
const browser = await startChromium()
await using tab = await Tab.open(browser, `${origin}/`, { width: 1400 })
const { body } = await ask({ port: uiPort }, { path: "/api/overview" })
process.stderr.write(`${JSON.stringify(JSON.parse(body).counts)}\n`)
const measured: (readonly (string | number)[])[] = []
for (const interaction of interactions) measured.push(await measure(tab.page, interaction, wick))
await browser.close()
write({
  name: "ui",
  title: `The page with ${count} Ingresses`,
  method: `wick with manifests: ${count} Ingresses with the annotations of published ones, ${certificates} certificates, ${wrong} Ingresses with a Problem. Chromium without a window asks the page by
\`--ui-port\`; each interaction ${rounds} times after two that do not count. A time is that from the event in the page (click, input) to the frame after the one in which everything is there that was asked for, with
no question on its way. \`others wait\` is the longest answer to \`/healthz/ping\` meanwhile: how long the controller's event loop stands still at most, and what the machine, which has two cores for all of it, adds.`,
  columns: ["interaction", "median, ms", "p90, ms", "longest, ms", "others wait, ms"],
  rows: measured,
  remarks: [
    "The target was 100 ms for each. Chromium has no graphics processor here, and draws on the same two cores that serve it.",
    "Lists are narrowed and cut into fifties by the server, out of what the controller has in memory: the page never holds more than it shows.",
  ],
})

async function measure(page: Page, { name, from, act, isShown }: Interaction, of: Wick) {
  const times: number[] = []
  let isOver = false
  const waits = probe(of, () => isOver)
  for (let round = -2; round < rounds; round += 1) {
    await page.goto(`${origin}/${from}`)
    await page.locator('main:not(:has([aria-busy="true"])) h1').waitFor()
    await pause(100)
    const ms = await page.evaluate<number>(`new Promise((resolve, reject) => {
      const begun = performance.now()
      { ${act} }
      const look = () => {
        if (document.querySelector('main [aria-busy=true]') === null && (${isShown}))
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
        else if (performance.now() - begun > 30_000) reject(new Error("It is not shown: ${name}"))
        else setTimeout(look, 1)
      }
      setTimeout(look)
    })`)
    if (round >= 0) times.push(ms)
  }
  isOver = true
  const row = [
    name,
    ...[median(times), quantile(times, 0.9), largest(times), await waits].map((ms) => Math.round(ms)),
  ]
  process.stderr.write(`${row.join(" ")}\n`)
  return row
}

async function probe(of: Wick, isOver: () => boolean): Promise<number> {
  let max = 0
  while (!isOver()) {
    const asked = performance.now()
    await ask({ port: of.healthPort }, { path: "/healthz/ping" })
    max = Math.max(max, performance.now() - asked)
    await pause(5)
  }
  return max
}

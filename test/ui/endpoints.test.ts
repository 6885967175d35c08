// What happens to endpoints under traffic, in a real browser.
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../support/backends.ts"
import { startChromium, Tab } from "../support/chromium.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../support/manifests.ts"
import { freePorts } from "../support/ports.ts"
import { until } from "../support/until.ts"
import { startWick, type Wick } from "../support/wick.ts"

let browser: Browser
let wick: Wick
let backends: Backends
let origin: string
beforeAll(async () => {
  const [uiPort = 0] = await freePorts(1)
  origin = `http://127.0.0.1:${uiPort}`
  backends = await startBackends("well", "ill")
  await backends[1]?.fault("refuse")
  const annotations = {
    "load-balance": "ewma",
    "wick.dev/outlier-failures": "2",
    "wick.dev/outlier-ejection-time": "600",
  }
  const objects = [
    ingressClass,
    ...serviceOn(
      "shop/cart",
      backends.map(({ port }) => port),
    ),
    ingress("shop/cart", "shop.test/ → cart:80", annotations),
  ]
  ;[browser, wick] = await Promise.all([
    startChromium(),
    startWick({
      manifests: { "all.yaml": manifest(...objects) },
      flags: [`--ui-port=${uiPort}`, "--metrics-per-endpoint"],
    }),
  ])
})
afterAll(async () => {
  await Promise.all([browser?.close(), wick?.stop()])
  await backends?.[Symbol.asyncDispose]()
})

test("attempts, failures and times are counted, and who is left out is said, while somebody looks", async () => {
  await using tab = await Tab.open(browser, `${origin}/#/backend?name=shop-cart-80`)
  const { page } = tab
  const [well, ill] = backends.map(({ port }) => page.getByRole("row", { name: `127.0.0.1:${port}` }))
  await ill?.getByText("in use").waitFor()
  await until("two failed attempts", async () => {
    expect((await wick.get("/", { host: "shop.test" })).status).toBe(200)
    return (await ill?.innerText())?.includes("left out, ")
  })
  await ill?.getByText("connect 2").waitFor()
  await well
    ?.getByText(/^\d+ ms$|^< 1 ms$/)
    .first()
    .waitFor()
  const plot = page.getByRole("img", { name: /^Attempts per second: now / })
  await until("some attempts in the plot", async () => {
    await wick.get("/", { host: "shop.test" })
    return /between .* and (?!0$)/.test((await plot.getAttribute("aria-label")) ?? "")
  })
  expect(tab.complaints).toEqual([])
})

// What happens to endpoints under traffic, in a real browser.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../harness/manifests.ts"
import { type Page, startPage } from "../../harness/page.ts"
import { until } from "../../harness/until.ts"

let served: Page
let backends: Backends
beforeAll(async () => {
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
  served = await startPage({
    manifests: { "all.yaml": manifest(...objects) },
    flags: ["--metrics-per-endpoint"],
  })
})
afterAll(async () => {
  await served?.[Symbol.asyncDispose]()
  await backends?.[Symbol.asyncDispose]()
})

test("attempts, failures and times are counted, and who is left out is said, while somebody looks", async () => {
  await using tab = await served.open("backend?name=shop-cart-80")
  const { page } = tab
  const [well, ill] = backends.map(({ port }) => page.getByRole("row", { name: `127.0.0.1:${port}` }))
  await ill?.getByText("in use").waitFor()
  await until("two failed attempts", async () => {
    expect((await served.wick.get("/", { host: "shop.test" })).status).toBe(200)
    return (await ill?.innerText())?.includes("ejected, ")
  })
  await ill?.getByText("connect 2").waitFor()
  await well
    ?.getByText(/^\d+ ms$|^< 1 ms$/)
    .first()
    .waitFor()
  const plot = page.getByRole("img", { name: /^Attempts per second: now / })
  await until("some attempts in the plot", async () => {
    await served.wick.get("/", { host: "shop.test" })
    return /between .* and (?!0$)/.test((await plot.getAttribute("aria-label")) ?? "")
  })
  expect(tab.complaints).toEqual([])
})

// The page in a real browser, of a wick that runs: what an operator does with it.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, ingressClass, manifest, secret, service, slice, withTls } from "../../harness/manifests.ts"
import { type Page, startPage } from "../../harness/page.ts"
import { rootAuthority } from "../../harness/pki.ts"
import { until } from "../../harness/until.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const hostile = '/<img src=x onerror="document.title=1">'

let served: Page
beforeAll(async () => {
  const root = await rootAuthority()
  const soon = await root.issue({ names: ["pay.test"], until: new Date(Date.now() + 3.5 * 86_400_000) })
  const objects = [
    ingressClass,
    service("shop/cart"),
    slice("shop/cart", ["10.0.0.1", "10.0.0.2", "10.0.0.3"], 8080),
    service("shop/web"),
    slice("shop/web", ["10.0.1.1"], 8080),
    service("shop/next"),
    slice("shop/next", ["10.0.2.1"], 8080),
    service("shop/idle"),
    secret("shop/pay", soon.tlsData()),
    ingress("shop/cart", "shop.test/cart → cart:80", { "proxy-read-timeout": "5" }),
    ingress("shop/web", "shop.test/ → web:80"),
    ingress("shop/next", "shop.test/ → next:80", { canary: "true", "canary-weight": "10" }),
    ingress("shop/idle", "idle.test/ =→ idle:80", { "proxy-send-timeout": "soon" }),
    ingress("shop/hostile", `hostile.test${hostile} ~→ cart:80`, { "proxy-send-timeout": "<b>soon</b>" }),
    withTls(ingress("shop/pay", "pay.test/ → cart:80"), "pay.test=pay"),
    ...Array.from({ length: 150 }, (_, n) => ingress(`many/i${n}`, `h${n}.many.test/ → none:80`)),
  ]
  served = await startPage({ manifests: { "all.yaml": manifest(...objects) } })
})
afterAll(() => served?.[Symbol.asyncDispose]())

test("says at first sight how things are", async () => {
  await using tab = await served.open("")
  const { page } = tab
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  await page.getByText("Problems left something out").waitFor()
  expect(await page.title()).toBe("Overview – wick")
  await page.getByRole("link", { name: /156\s*Ingresses/ }).waitFor()
  await page.getByRole("link", { name: /1\s*canary/ }).waitFor()
  await page.getByRole("img", { name: /^Requests per second: / }).waitFor()
  await page.getByText("shop/pay").waitFor()
  await page.getByText("in 3 days").waitFor()
  expect(await page.getByRole("banner").innerText()).toContain("serving")
})

test("search follows what is typed, and stands in the address", async () => {
  await using tab = await served.open("routes")
  const { page } = tab
  await page
    .getByRole("status")
    .filter({ hasText: /1–50 of \d+ routes/ })
    .waitFor()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByRole("status").filter({ hasText: /^51–/ }).waitFor()
  await page.getByRole("searchbox").pressSequentially("h14.many")
  await page
    .getByRole("status")
    .filter({ hasText: /^1 route$/ })
    .waitFor()
  expect(page.url()).toContain("q=h14.many")
  await page.reload()
  await page
    .getByRole("status")
    .filter({ hasText: /^1 route$/ })
    .waitFor()
  await page.getByRole("searchbox").fill("nowhere")
  await page.getByText("No routes").waitFor()
})

test("a path is explained, with what was not taken and why", async () => {
  await using tab = await served.open("routes?q=shop.test")
  const { page } = tab
  await page.getByRole("link", { name: "shop.test/cart" }).click()
  await page.getByText("http://shop.test/cart is served by Ingress shop/cart.").waitFor()
  await page.getByRole("row", { name: /shop\.test\/ prefix shop\/web is shorter/ }).waitFor()
  await page.getByLabel("What becomes of a request for").fill("https://none.test/x")
  await page.getByRole("button", { name: "Explain" }).click()
  await page.getByText("https://none.test/x is answered 404").waitFor()
  await page.goBack()
  await page.getByText("is served by Ingress shop/cart").waitFor()
  await page.getByText("from a certain client").click()
  await page.getByLabel("Client, by which").fill("me")
  await page.getByRole("button", { name: "Explain" }).click()
  await page.getByRole("alert").filter({ hasText: 'Cannot read client "me": write an IP address.' }).waitFor()
})

test("a backend has its endpoints, its canary, and the routes that lead there", async () => {
  await using tab = await served.open("backends?q=10.0.0.2")
  const { page } = tab
  await page.getByRole("link", { name: "shop-cart-80" }).click()
  await page.getByRole("heading", { name: "shop-cart-80" }).waitFor()
  await page.getByRole("cell", { name: "10.0.0.3:8080" }).waitFor()
  await page.getByRole("link", { name: "shop.test/cart" }).waitFor()
  await page.goto(`${served.origin}/#/backend?name=shop-next-80`)
  await page.getByText("10 of 100").waitFor()
  await page.goto(`${served.origin}/#/backends?only=empty`)
  await page.getByRole("row", { name: /^shop-idle-80 .*no endpoint/ }).waitFor()
})

test("Problems say what to do, certificates when they end, reloads why", async () => {
  await using tab = await served.open("problems?q=shop/idle")
  const { page } = tab
  await page.getByText('Cannot use "soon" for annotation "proxy-send-timeout"').waitFor()
  await page.getByText("Correct the value as the message says.").waitFor()
  await page.getByRole("link", { name: "Certificates" }).first().click()
  await page.getByRole("row", { name: /in 3 days shop\/pay pay\.test/ }).waitFor()
  await page.getByRole("link", { name: "Reloads" }).first().click()
  await page.getByRole("cell", { name: "nginx was started" }).waitFor()
  await page.getByRole("link", { name: "Canaries" }).first().click()
  await page.getByRole("row", { name: /shop-web-80 shop-next-80 .*10 %/ }).waitFor()
})

test("Problems of one code are one row that opens, and chips count what tiles count", async () => {
  await using tab = await served.open("")
  const { page } = tab
  const tile = page.getByRole("link", { name: /^\d+ errors$/ })
  const errors = /^\d+/.exec((await tile.innerText()).trim())?.[0]
  await tile.click()
  await page.getByRole("link", { name: `error ${errors}`, exact: true }).waitFor()
  await page.getByRole("link", { name: /^all \d+$/ }).click()
  const group = page.getByRole("group").filter({ hasText: "backend-unusable" })
  await group.getByText("150", { exact: true }).click()
  await group.getByText("Create the Service, or correct its name or port in the Ingress.").waitFor()
  await group.getByRole("link", { name: "all 150 Problems of this code" }).click()
  await page.getByRole("status").filter({ hasText: "1–25 of 150 Problems" }).waitFor()
  await page.getByRole("link", { name: /^with code backend-unusable/ }).click()
  await page.getByText("annotation-refused").waitFor()
})

test("columns sort, either way, and the address says how", async () => {
  await using tab = await served.open("routes?q=shop.test")
  const { page } = tab
  const head = page.getByRole("columnheader", { name: "Host and path" }).getByRole("button")
  const firstIs = (place: string) =>
    until(`${place} to be first`, async () =>
      (await page.getByRole("row").nth(1).innerText()).startsWith(`${place}\t`),
    )
  await head.click()
  await page.locator('th[aria-sort="ascending"]').waitFor()
  await firstIs("shop.test/")
  await head.click()
  await page.locator('th[aria-sort="descending"]').waitFor()
  await firstIs("shop.test/cart")
  expect(page.url()).toContain("sort=-place")
})

test("what is not known is not shown as if it were: rates, a commit, a leader", async () => {
  await using tab = await served.open("")
  const { page } = tab
  await page.getByText(", from a checkout").waitFor()
  expect(await page.getByText("leader").count()).toBe(0)
})

test("the keyboard is enough", async () => {
  await using tab = await served.open("")
  const { page } = tab
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()")
  await page.keyboard.press("Tab")
  expect(await focused()).toBe("Skip to the content")
  for (const name of ["wick", "Overview", "Traffic", "Explain"]) {
    await page.keyboard.press("Tab")
    expect(await focused()).toBe(name)
  }
  await page.keyboard.press("Tab")
  expect(await focused()).toMatch(/^Routes/)
  await page.keyboard.press("Enter")
  await page.locator("h1:focus", { hasText: "Routes" }).waitFor()
  await page.keyboard.press("/")
  await page.keyboard.type("/cart")
  await page
    .getByRole("status")
    .filter({ hasText: /^1 route$/ })
    .waitFor()
  // the list itself, and the columns that sort it
  for (let nth = 0; nth < 5; nth++) await page.keyboard.press("Tab")
  await page.keyboard.press("Tab")
  expect(await focused()).toBe("shop.test/cart")
  await page.keyboard.press("Enter")
  await page.getByText("is served by Ingress shop/cart").waitFor()
})

test("what users wrote stays text", async () => {
  await using tab = await served.open("routes?q=hostile.test")
  const { page } = tab
  await page.getByText(hostile).first().waitFor()
  await page.goto(`${served.origin}/#/problems?q=hostile`)
  await page.getByText('Cannot use "<b>soon</b>"').waitFor()
  expect(await page.locator("main img, main b").count()).toBe(0)
  expect(await page.title()).toBe("Problems – wick")
  expect(tab.complaints).toEqual([])
})

test("what changes is seen without asking", async () => {
  await using tab = await served.open("")
  const { page } = tab
  await page.getByRole("link", { name: /1\s*canary/ }).waitFor()
  const added = [
    service("late/a"),
    slice("late/a", ["10.0.9.1"], 80),
    service("late/b"),
    slice("late/b", ["10.0.9.2"], 80),
    ingress("late/a", "late.test/ → a:80"),
    ingress("late/b", "late.test/ → b:80", { canary: "true", "canary-weight": "1" }),
  ]
  served.wick.write("late.yaml", manifest(...added))
  await page.getByRole("link", { name: /2\s*canaries/ }).waitFor()
})

const views = [
  "",
  "routes",
  "traffic",
  "explain?url=shop.test/cart/7",
  "backends",
  "backend?name=shop-web-80",
  "canaries",
  "ports",
  "explain?url=tcp://127.0.0.1:5432",
  "certificates",
  "problems",
  "reloads",
  "nowhere",
]

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test("everybody can read it, nothing is loaded from elsewhere, and nothing is blocked", async () => {
    await using tab = await served.open("", { colorScheme })
    const { page } = tab
    await page.getByRole("heading", { name: "Overview" }).waitFor()
    for (const view of views) {
      await page.goto(`${served.origin}/#/${view}`)
      await page.locator('main:not(:has([aria-busy="true"])) h1').waitFor()
      await page.evaluate(axe)
      const { violations, passes }: AxeResults = await page.evaluate("axe.run()")
      expect(passes.length).toBeGreaterThan(10)
      expect([view, violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual([view, []])
    }
    expect([...tab.asked]).toEqual([served.origin])
    expect(tab.complaints).toEqual([])
    const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
    const [red = 0] = (/\d+/.exec(ground) ?? []).map(Number)
    expect(red > 128).toBe(colorScheme === "light")
  })
})

test.each([390, 1000, 1280])("with %i pixels nothing of the overview runs out of its card", async (width) => {
  await using tab = await served.open("", { width })
  const { page } = tab
  await page.getByText("of its share").first().waitFor()
  const wide =
    "[...document.querySelectorAll('main section, figure')].filter((card) => card.scrollWidth > card.clientWidth + 1)"
  expect(await page.evaluate(`${wide}.map((card) => card.textContent)`)).toEqual([])
})

test("rows of a list stay rows on a telephone", async () => {
  await using tab = await served.open("routes", { width: 390 })
  const { page } = tab
  await page.getByRole("row").nth(40).waitFor()
  const heights = "Math.max(...[...document.querySelectorAll('tbody tr')].map((row) => row.clientHeight))"
  expect(await page.evaluate<number>(heights)).toBeLessThan(120)
})

test("it fits a telephone", async () => {
  await using tab = await served.open("", { width: 360 })
  const { page } = tab
  for (const view of views) {
    await page.goto(`${served.origin}/#/${view}`)
    await page.locator('main:not(:has([aria-busy="true"])) h1').waitFor()
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
    expect([view, Math.max(0, overflow)]).toEqual([view, 0])
  }
})

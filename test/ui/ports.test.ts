// TCP and UDP services, in a real browser.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Client, rawTarget, type Target } from "../../harness/ingress/passthrough.ts"
import { ingressClass, manifest, serviceOn, settings } from "../../harness/manifests.ts"
import { type Page, startPage } from "../../harness/page.ts"
import { freePorts } from "../../harness/ports.ts"
import { answerOf } from "../../harness/streams.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

let served: Page
let target: Target
let ports: readonly number[]
beforeAll(async () => {
  ;[target, ports] = await Promise.all([rawTarget("db"), freePorts(14)])
  const [db, mqtt, empty, ...more] = ports
  const names = { "eu.example.com": "eu/mqtt:8883", "*.example.com": "shop/mqtt:8883" }
  const port = Number(target.address.split(":").at(-1))
  const entries = {
    [`${db}`]: JSON.stringify({ service: "shop/db:80", allow: ["127.0.0.0/8"], connections: 20 }),
    [`${mqtt}`]: JSON.stringify({ service: "shop/other-mqtt:8883", names }),
    [`${empty}`]: "shop/empty:80",
    ...Object.fromEntries(more.map((port) => [port, "shop/db:80::PROXY"])),
  }
  const objects = [
    ingressClass,
    settings("shop/tcp", entries),
    ...serviceOn("shop/db", [port]),
    ...serviceOn("shop/empty", []),
  ]
  const flags = ["--tcp-services-configmap=shop/tcp"]
  served = await startPage({ manifests: { "all.yaml": manifest(...objects) }, flags })
})
afterAll(async () => {
  await served?.[Symbol.asyncDispose]()
  await target?.[Symbol.asyncDispose]()
})

test("a port has its Service, endpoints and sessions, and leads to what becomes of a connection", async () => {
  await using tab = await served.open("ports")
  const { page } = tab
  const [db = 0, mqtt, empty] = ports
  await page.getByRole("status").filter({ hasText: "14 ports" }).waitFor()
  using client = new Client(db)
  expect(await answerOf(client)).toBe("db")
  await page.getByRole("row", { name: new RegExp(`^tcp:${db} shop/db:80 1 endpoint 1 1 `) }).waitFor()
  await page.getByRole("row", { name: new RegExp(`^tcp:${empty} .*no endpoint`) }).waitFor()
  await page.getByRole("link", { name: "eu.example.com" }).click()
  await page.getByText(`TCP port ${mqtt}, server name eu.example.com, is closed at once.`).waitFor()
  await page.goto(`${served.origin}/#/ports?q=shop/db ${db}`)
  await page.getByRole("link", { name: `tcp:${db}` }).click()
  await page.getByText(`TCP port ${db} goes to shop/db:80.`).waitFor()
  await page.goto(`${served.origin}/#/backends?only=empty`)
  await page.getByRole("row", { name: /^tcp:shop\/empty:80 .*no endpoint/ }).waitFor()
  expect(tab.complaints).toEqual([])
})

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([390, 1280])("everybody can read it with %i pixels, and it fits", async (width) => {
    await using tab = await served.open("ports", { colorScheme, width })
    const { page } = tab
    await page.getByRole("row").nth(14).waitFor()
    await page.evaluate(axe)
    const { violations }: AxeResults = await page.evaluate("axe.run()")
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

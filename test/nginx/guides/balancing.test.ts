// What the guides say about shares and sessions, with what they show.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { cookieOf, cookieWith } from "../path/cookies.ts"
import { GuideSite } from "./guide-site.ts"

const canaries = "docs/guides/canary.md"
const sessions = "docs/guides/sticky-sessions.md"
const sticky = "Sticky sessions: a client stays with its Pod"
const host = "shop.example.com"

let at: GuideSite
beforeAll(async () => {
  at = await GuideSite.start(
    [
      { page: canaries, heading: "By weight" },
      { page: sessions, heading: sticky },
    ],
    { more: ["shop-2"] },
  )
})
afterAll(() => at[Symbol.asyncDispose]())

/** Who answers how many of a thousand requests. */
const shares = () => at.site.shares(1000, { host })

test("a canary with the weight 20 gets a fifth", async () => {
  await at.apply(canaries, "By weight")
  const canary = (await shares()).get("shop-canary") ?? 0
  // Five deviations on either side.
  expect(canary).toBeGreaterThan(137)
  expect(canary).toBeLessThan(263)
})

test("what Argo Rollouts makes of the Ingress takes its share, and gives it back", async () => {
  await at.apply(canaries, "By weight")
  const made = (weight: number) =>
    ingress(
      "demo/shop-shop-canary",
      `${host}/ → shop-canary:80`,
      { canary: "true", "canary-weight": `${weight}` },
      40,
    )
  const stable = ingress("demo/shop", `${host}/ → shop:80`, {}, 1)
  const services = [...at.site.service("shop", "shop"), ...at.site.service("shop-canary", "shop-canary")]
  await at.site.put(...services, stable, made(100))
  expect([...(await shares()).keys()]).toEqual(["shop-canary"])
  await at.site.put(...services, stable, made(0))
  expect([...(await shares()).keys()]).toEqual(["shop"])
  await at.site.expectOnlyPosts()
})

const cookie = "shop-session"

test("a session stays, with the cookie that the page asks for", async () => {
  await at.apply(sessions, sticky, ...at.site.service("shop", "shop", "shop-2"))
  const first = await at.site.get("/", { host })
  expect(cookieOf(first, cookie)?.attributes).toEqual(
    expect.arrayContaining(["Max-Age=86400", "SameSite=Lax"]),
  )
  expect(await at.site.answering(40, { host, ...cookieWith(first, cookie) })).toEqual([first.body])
  expect(await at.site.answering(200, { host })).toEqual(["shop", "shop-2"])
})

test("and moves when its Pod fails", async () => {
  await at.apply(sessions, sticky, ...at.site.service("shop", "shop", "shop-2"))
  const first = await at.site.get("/", { host })
  const failing = at.site.backend(first.body)
  await failing.fault("refuse")
  const moved = await at.site.get("/", { host, ...cookieWith(first, cookie) })
  expect(moved.body).not.toBe(first.body)
  await failing.fault(undefined)
  const kept = await at.site.get("/", { host, ...cookieWith(moved, cookie) })
  expect(kept.body).toBe(moved.body)
})

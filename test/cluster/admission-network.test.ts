// What becomes of changes while the network between the API server and wick is cut, in either direction.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ingress, ingressClass, type Json } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { type Link, startLink } from "./support/link.ts"
import { attempt, Webhook } from "./support/webhook.ts"

const label = "checked"
const denied = 'admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: '
/** of the webhook's configuration */
const timeoutSeconds = 5

let server: ApiServer
let webhook: Webhook
let wick: Wick
let shop: string
/** from the API server to the webhook */
let asking: Link
/** from wick to the API server */
let watching: Link

beforeAll(async () => {
  server = await startApiServer()
  webhook = await Webhook.prepare(server)
  ;[asking, watching] = await Promise.all([startLink(webhook.port), startLink(server.port)])
  await webhook.create(asking.address)
  await webhook.mount()
  shop = await server.namespace("shop", { [label]: "yes" })
  await server.admin.apply(ingressClass, of("good", "good.test/ → web:80"))
  wick = await startWickIn(server, { via: watching.url, flags: webhook.flags })
  await webhook.announce(label, `${asking.address}:${asking.port}`, timeoutSeconds)
  await until("the API server to ask", isAsked)
})
afterAll(async () => {
  await watching?.[Symbol.asyncDispose]()
  await asking?.[Symbol.asyncDispose]()
  await wick?.stop()
  webhook?.[Symbol.dispose]()
  await server?.stop()
})

function of(name: string, rule: string): Json {
  return ingress(`${shop}/${name}`, rule)
}

/** Nothing is stored. */
const rehearsed = (object: Json) => attempt(server, object, { dryRun: "All" })
const isAsked = async () => (await rehearsed(of("probe", "probe.test/[a] → web:80"))).includes(denied)
const isStored = async (name: string) => (await server.admin.get("Ingress", `${shop}/${name}`)) !== undefined

test("packets are lost on the way to it: the failurePolicy decides when the time is up, and it answers when they arrive again", async () => {
  asking.vanish()
  expect(await attempt(server, of("late", "late.test/ → web:80"))).toContain("failed calling webhook")
  expect(await isStored("late")).toBe(false)
  await webhook.patch("Ignore")
  await until(
    "the API server to ignore it",
    async () => (await attempt(server, of("late", "late.test/ → web:80"))) === "",
  )
  expect(await isStored("late")).toBe(true)
  await webhook.patch("Fail")
  asking.reappear()
  await until("it to answer", isAsked)
})

test("connections are reset while it is asked: those that come after are answered", async () => {
  for (let round = 0; round < 3; round += 1) {
    asking.resetAfter(100)
    await rehearsed(of("good", "good.test/ → web:80"))
    // Others of the pool end with their next answer.
    await until("an answer", async () => (await rehearsed(of("good", "good.test/ → web:80"))) === "")
  }
})

test("wick cannot reach the API server: it answers by what it knew, and learns the rest when it can", async () => {
  const taker = of("taker", "good.test/ → other:80")
  watching.vanish()
  await server.admin.apply(of("news", "news.test/ → web:80"))
  expect(await rehearsed(taker)).toContain(`already defined in ingress ${shop}/good`)
  expect(await rehearsed(of("second", "news.test/ → web:80"))).toBe("")
  watching.reappear()
  await until("it to know the news", async () =>
    (await rehearsed(of("second", "news.test/ → web:80"))).includes(`ingress ${shop}/news`),
  )
})

// From objects of a real API server to answers of pods, and back to nothing.
import { isDeepStrictEqual } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podPort } from "../../harness/cluster/pods.ts"
import type { Answer } from "../../harness/http.ts"
import { ask } from "../../harness/http.ts"
import { ingress, secret, settings, withTls } from "../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../harness/pki.ts"
import { shownChain } from "../../harness/shake.ts"
import { until } from "../../harness/until.ts"
import { tlsAgent } from "../support/agents.ts"
import { type Site, startSite } from "./support/site.ts"

let server: ApiServer
let site: Site
let one: Identity
let two: Identity

beforeAll(async () => {
  const root = await rootAuthority()
  one = await root.issue({ names: ["secure.test"] })
  two = await root.issue({ names: ["secure.test"] })
  server = await startApiServer()
  site = await startSite(server, { flags: ["--configmap=wick/settings"] })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await server.stop()
})

const answer = (host: string): Promise<Answer> => site.wick.get("/", { host })
const shown = async () => (await shownChain(site.wick.httpsPort, { servername: "secure.test" }))[0]

test("a request for the Ingress's host is answered by its Service's pod", async () => {
  expect(await answer("first.test")).toMatchObject({ status: 200, body: "one" })
  expect(await answer("other.test")).toMatchObject({ status: 404 })
})

test("endpoints come and go without a reload and without a lost request", async () => {
  await site.setPods(1, 2)
  await site.settled()
  const bodies = await Promise.all(Array.from({ length: 20 }, () => answer("first.test")))
  expect(new Set(bodies.map(({ body }) => body))).toEqual(new Set(["two", "three"]))
  await site.setPods(0)
  await site.settled()
  expect((await answer("first.test")).body).toBe("one")
  expect((await site.counts()).reloads).toBe(0)
  await site.expectNoLoss()
})

test("a Secret named by an Ingress is shown in handshakes, and so is the next one in its place", async () => {
  const { namespace } = site
  const rule = `secure.test/ → web:${podPort}`
  await server.admin.apply(withTls(ingress(`${namespace}/secure`, rule), "secure.test=tls"))
  await site.settled()
  for (const identity of [one, two]) {
    await server.admin.apply(secret(`${namespace}/tls`, identity.tlsData()))
    await until("the certificate", async () => (await shown())?.equals(identity.der))
  }
  const secured = await ask(
    { port: site.wick.httpsPort, agent: tlsAgent("secure.test") },
    { host: "secure.test" },
  )
  expect(secured).toMatchObject({ status: 200, body: "one" })
  await server.admin.delete("Secret", `${namespace}/tls`)
  await until("the default certificate", async () => !(await shown())?.equals(two.der))
})

test("the ConfigMap of the flag sets things, and no longer when they are taken out of it", async () => {
  /** Of answers of all workers, old ones as well: while nginx reloads both kinds answer. */
  const headers = async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer("first.test")))
    return [...new Set(answers.map((one) => one.headers["x-from"]))]
  }
  const become = (wanted: string | undefined) =>
    until(`x-from: ${wanted}`, async () => isDeepStrictEqual(await headers(), [wanted]))
  await server.admin.apply(
    settings("wick/headers", { "x-from": "wick" }),
    settings("wick/settings", { "add-headers": "wick/headers" }),
  )
  await become("wick")
  await server.admin.apply(settings("wick/headers", { "x-from": "elsewhere" }))
  await become("elsewhere")
  await server.admin.apply(settings("wick/settings", {}))
  await become(undefined)
  await site.expectNoLoss()
})

test("an Ingress that goes is not served any more", async () => {
  await site.addHost("second")
  await site.settled()
  expect((await answer("second.test")).status).toBe(200)
  await server.admin.delete("Ingress", `${site.namespace}/second`)
  await site.settled()
  expect((await answer("second.test")).status).toBe(404)
})

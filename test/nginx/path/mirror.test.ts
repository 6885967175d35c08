// Copies of requests to a mirror, of which the client notices nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let app: Echo
let mirror: Echo
beforeAll(async () => {
  app = await new Echo().start()
  mirror = await new Echo().start()
  app.answer = () => ({ body: "app" })
  mirror.answer = () => ({ status: 500, body: "mirror" })
  site = await Site.start([])
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  await mirror[Symbol.asyncDispose]()
})

async function serve(annotations: Record<string, string>): Promise<void> {
  await site.put(ingress("demo/foo", "foo.test/ → foo:80", annotations), ...serviceOn("demo/foo", [app.port]))
  await until("the Ingress to be served", async () => (await site.get("/")).body === "app")
}

/** Sends a request until the mirror has seen it. */
async function copyOf(path: string, body: string) {
  const isCopied = async () => {
    const { body: answer } = await site.get(path, { method: "POST", body })
    expect(answer).toBe("app")
    return mirror.asked.some(({ url }) => url.endsWith(path))
  }
  await until("the copy", isCopied)
  return mirror.asked.findLast(({ url }) => url.endsWith(path))
}

describe("417: a mirror", () => {
  test("gets a copy of each request, with its body; the client sees the other answer", async () => {
    await serve({ "mirror-target": `http://127.0.0.1:${mirror.port}/copy$request_uri` })
    expect(await copyOf("/a?b=1", "hello")).toMatchObject({
      method: "POST",
      url: "/copy/a?b=1",
      body: "hello",
      headers: { host: "127.0.0.1" },
    })
  })

  test("is the route's: another target or host needs no reload, and without a path it gets the request's", async () => {
    const before = await site.wick.metric("nginx_ingress_controller_success")
    await serve({ "mirror-target": `http://127.0.0.1:${mirror.port}`, "mirror-host": "shadow.test" })
    expect(await copyOf("/c?d=2", "")).toMatchObject({ url: "/c?d=2", headers: { host: "shadow.test" } })
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before)
  })

  test("gets no body where that is off", async () => {
    await serve({ "mirror-target": `http://127.0.0.1:${mirror.port}`, "mirror-request-body": "off" })
    await until("a copy without body", async () => (await copyOf("/e", "hello"))?.body === "")
  })

  test("that is slow does not hold back an answer", async () => {
    mirror.answer = () => ({ delayMs: 10 * patienceMs })
    await serve({ "mirror-target": `http://127.0.0.1:${mirror.port}` })
    for (let n = 0; n < 5; n += 1) expect((await site.get("/slow")).body).toBe("app")
    mirror.answer = () => ({})
    mirror.reset()
  })

  test("that is down does not either", async () => {
    await serve({ "mirror-target": "http://127.0.0.1:1/" })
    for (let n = 0; n < 5; n += 1) expect((await site.get("/down")).body).toBe("app")
  })

  test("cannot be asked directly", async () => {
    expect((await site.get("/_wick/mirror")).status).toBe(404)
  })
})

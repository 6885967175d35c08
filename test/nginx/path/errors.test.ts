// Error pages, and the Service that stands in for one without endpoints.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, type Json, secret, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let app: Echo
let pages: Echo
let fallback: Echo
beforeAll(async () => {
  app = await new Echo().start()
  pages = await new Echo().start()
  fallback = await new Echo().start()
  site = await Site.start([], {
    flags: ["--default-backend-service=demo/fallback"],
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  for (const echo of [app, pages, fallback]) await echo[Symbol.asyncDispose]()
})

let round = 0
/** One Ingress for foo.test before `service`; returns when it is in force. */
async function serve(annotations: Record<string, string>, service = "app", ...more: Json[]): Promise<void> {
  round += 1
  app.answer = () => ({ body: "app" })
  const rules = [`foo.test/ → ${service}:80`, `round-${round}.test/ → app:80`]
  const own = ingress("demo/foo", rules, annotations)
  const services = [
    ...serviceOn("demo/app", [app.port]),
    ...serviceOn("demo/pages", [pages.port]),
    ...serviceOn("demo/fallback", [fallback.port]),
  ]
  await site.put(own, ...services, ...more)
  const get = () => site.get("/", { host: `round-${round}.test` })
  await until("the Ingress to be served", async () => (await get()).body === "app")
}

function answerWith(status: number): void {
  app.answer = () => ({ status, body: `app ${status}` })
  pages.answer = ({ headers }) => ({ status: 200, body: `page for ${headers["x-code"]}` })
  fallback.answer = ({ headers }) => ({ status: 200, body: `fallback for ${headers["x-code"]}` })
}

const reloads = () => site.wick.metric("nginx_ingress_controller_success")

describe("custom-http-errors", () => {
  test("316: 404 and 500 of the backend are pages of the default backend, which is told what it is about", async () => {
    await serve({ "custom-http-errors": "404,500" })
    answerWith(404)
    const answer = await site.get("/missing?a=1", { headers: { accept: "text/html", "x-request-id": "r1" } })
    expect([answer.status, answer.body]).toEqual([200, "fallback for 404"])
    expect(fallback.last.url).toBe("/?a=1")
    expect(fallback.last.headers).toMatchObject({
      host: "foo.test",
      "x-code": "404",
      "x-format": "text/html",
      "x-original-uri": "/missing?a=1",
      "x-namespace": "demo",
      "x-ingress-name": "foo",
      "x-service-name": "app",
      "x-service-port": "80",
      "x-request-id": "r1",
    })
    answerWith(500)
    expect((await site.get("/")).body).toBe("fallback for 500")
    answerWith(503)
    expect((await site.get("/")).body).toBe("app 503")
  })

  test("316: the method and the body stay", async () => {
    answerWith(404)
    await site.get("/form", { method: "POST", body: "a=1" })
    expect(fallback.last).toMatchObject({ method: "POST", body: "a=1" })
  })

  test("317: another list takes the place of the one before", async () => {
    await serve({ "custom-http-errors": "503" })
    answerWith(503)
    expect((await site.get("/")).body).toBe("fallback for 503")
    answerWith(404)
    expect((await site.get("/")).body).toBe("app 404")
  })

  test("322: the status is the error backend's", async () => {
    answerWith(503)
    fallback.answer = () => ({ status: 418 })
    expect((await site.get("/")).status).toBe(418)
  })

  test("errors of nginx itself have pages too, a backend without endpoints among them", async () => {
    await serve({ "custom-http-errors": "503" }, "nowhere")
    answerWith(200)
    expect((await site.get("/")).body).toBe("fallback for 503")
  })

  test("disable-proxy-intercept-errors: what the backend answers passes", async () => {
    await serve({ "custom-http-errors": "404,413", "disable-proxy-intercept-errors": "true" })
    answerWith(404)
    expect((await site.get("/")).body).toBe("app 404")
    await until("what was there before to be gone", async () => (await site.get("/")).body === "app 404")
    const tooLarge = await site.get("/", { method: "POST", body: Buffer.alloc(2 * 1024 ** 2) })
    expect(tooLarge.body).toBe("fallback for 413")
  })
})

describe("which errors have a page", () => {
  /** For nginx 408 and 444 close the connection, with a page or without, and 499 is a client that has done so. */
  const closing = [408, 444, 499]
  const codes = Array.from({ length: 200 }, (_, n) => 400 + n).filter((code) => !closing.includes(code))
  /** Which of the statuses that the backend answers with become pages. */
  async function replaced(asked: readonly number[]): Promise<number[]> {
    const found: number[] = []
    for (const code of asked) {
      answerWith(code)
      const { body } = await site.get("/")
      if (body === `fallback for ${code}`) found.push(code)
      else expect(body).toBe(`app ${code}`)
    }
    return found
  }

  test("is data: whatever codes are wanted, and whatever Ingress wants others, nothing is reloaded", async () => {
    await serve({})
    const before = await reloads()
    for (const own of [[400], [449, 450], [499 - 1, 500, 549, 550, 599], codes]) {
      await serve({ "custom-http-errors": own.join() })
      const tried = own === codes ? codes : [...own, 400, 404, 451, 503, 598]
      expect(await replaced(tried)).toEqual(tried.filter((code) => own.includes(code)))
    }
    await serve({ "custom-http-errors": "404", "disable-proxy-intercept-errors": "true" })
    expect(await replaced([404])).toEqual([])
    await serve({})
    expect(await replaced([404, 503])).toEqual([])
    expect(await reloads()).toBe(before)
  })

  test("is what the ConfigMap says, until an Ingress says something else", async () => {
    await site.reconfigure({ "custom-http-errors": "302,404" })
    await serve({})
    expect(await replaced([302, 404, 503])).toEqual([302, 404])
    await serve({ "custom-http-errors": "503" })
    expect(await replaced([302, 404, 503])).toEqual([503])
    await serve({ "disable-proxy-intercept-errors": "true" })
    expect(await replaced([302, 404, 503])).toEqual([])
    await site.reconfigure({})
  })
})

describe("default-backend", () => {
  test("319: serves what has no endpoints, and is told so", async () => {
    await serve({ "default-backend": "pages" }, "nowhere")
    answerWith(200)
    await until("the other one", async () => (await site.get("/")).body === "page for 503")
    const answer = await site.get("/alma/armud", { headers: { "x-request-id": "mine" } })
    expect([answer.status, answer.body]).toEqual([200, "page for 503"])
    expect(pages.last).toMatchObject({
      url: "/alma/armud",
      headers: {
        "x-code": "503",
        "x-ingress-name": "foo",
        "x-service-name": "nowhere",
        "x-request-id": "mine",
      },
    })
  })

  test("319: endpoints that come and go need no reload, and the backend itself is told nothing", async () => {
    const before = await reloads()
    await serve({ "default-backend": "pages" }, "later", ...serviceOn("demo/later", [app.port]))
    answerWith(200)
    expect((await site.get("/", { headers: { "x-code": "7" } })).body).toBe("app 200")
    expect(app.last.headers["x-code"]).toBe("7")
    await serve({ "default-backend": "pages" }, "later")
    answerWith(200)
    expect((await site.get("/")).body).toBe("page for 503")
    expect(await reloads()).toBe(before)
  })

  test("makes the error pages of its Ingress", async () => {
    await serve({ "default-backend": "pages", "custom-http-errors": "404" })
    answerWith(404)
    expect((await site.get("/")).body).toBe("page for 404")
  })

  test("of a Service that does not exist is a Problem, and 503 stays", async () => {
    await serve({ "default-backend": "nobody" }, "nowhere")
    expect((await site.get("/")).status).toBe(503)
    await site.untilProblem("fallback-unusable")
  })
})

test("321: codes of the ConfigMap hold for Ingresses without their own", async () => {
  site.configure({ "custom-http-errors": "404" })
  await serve({})
  answerWith(404)
  await until("the page", async () => (await site.get("/")).body === "fallback for 404")
  await serve({ "custom-http-errors": "503" })
  answerWith(404)
  await until("no page", async () => (await site.get("/")).body === "app 404")
})

describe("a request that no backend of its own was given", () => {
  const secrets = {
    authorization: "Bearer secret",
    "proxy-authorization": "Basic secret",
    cookie: "session=secret",
    "x-api-key": "secret",
  }
  const codes = "401,403,404,429,503"
  const all = { "custom-http-errors": codes, "default-backend": "pages" }
  const users = secret("demo/users", { auth: "ann:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" })

  /** What the error backend was given of a request with secrets. */
  async function given(annotations: Record<string, string>) {
    // The application is the authentication service as well, and lets nobody in.
    answerWith("auth-url" in annotations ? 401 : 200)
    const own = ingress("demo/foo", "foo.test/ → app:80", { ...all, ...annotations })
    await site.put(own, ...serviceOn("demo/app", [app.port]), ...serviceOn("demo/pages", [pages.port]), users)
    pages.asked.length = 0
    const headers = { ...secrets, "accept-language": "de", "user-agent": "tester" }
    await until("an error page", async () => {
      await site.get("/", { method: "POST", body: "secret body", headers })
      return pages.asked.length > 0
    })
    return pages.last
  }

  const refused: Readonly<Record<string, Record<string, string>>> = {
    "a password": { "auth-type": "basic", "auth-secret": "users" },
    "a list of addresses": { "denylist-source-range": "127.0.0.0/8" },
    "a service": { "auth-url": "http://app.demo.svc.cluster.local/" },
    "a limit": { "limit-rpm": "1", "limit-burst-multiplier": "1" },
  }

  test.each(
    Object.entries(refused),
  )("because of %s gives nothing to the error backend", async (_, annotations) => {
    const page = await given(annotations)
    expect(JSON.stringify(page)).not.toContain("secret")
    expect(page.body).toBe("")
    expect(page.headers).toMatchObject({
      "x-original-uri": "/",
      "accept-language": "de",
      "user-agent": "tester",
    })
  })

  test("one that its backend has failed is shown to the error backend as before", async () => {
    await serve(all)
    answerWith(404)
    pages.asked.length = 0
    await site.get("/", { method: "POST", body: "secret body", headers: secrets })
    expect(pages.last.headers).toMatchObject({ cookie: "session=secret" })
    expect(pages.last.body).toBe("secret body")
  })
})

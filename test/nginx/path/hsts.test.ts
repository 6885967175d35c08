// Strict-Transport-Security on a real nginx. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { type Answer, ask, type Question } from "../../../harness/http.ts"
import { ingress, serviceOn, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

const byDefault = "max-age=31536000; includeSubDomains"

let site: Site
let echo: Echo
beforeAll(async () => {
  echo = await new Echo().start()
  site = await Site.start([])
  await site.put(
    ...serviceOn("demo/a", [echo.port]),
    ingress("demo/plain", "foo.test/ → a:80"),
    ingress("demo/forced", "forced.test/ → a:80", { "force-ssl-redirect": "true" }),
    ingress("demo/own", "own.test/ → a:80", { "custom-headers": "demo/headers" }),
    settings("demo/headers", { "Strict-Transport-Security": "max-age=1" }),
    ingress("demo/moved", "moved.test/ → a:80", { "permanent-redirect": "http://other.test" }),
    ingress("demo/idle", "idle.test/ → nobody:80"),
    ingress("demo/pages", "pages.test/ → a:80", { "custom-http-errors": "418", "default-backend": "a" }),
  )
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})
afterEach(() => {
  echo.answer = () => ({})
})

const byTls = (host = "foo.test", question: Question = {}): Promise<Answer> =>
  ask({ port: site.wick.httpsPort, agent: tlsAgent(host) }, { host, ...question })

/** Every value of the header. */
async function sent(answer: Promise<Answer>): Promise<string | undefined> {
  return (await answer).headers["strict-transport-security"]
}

test("answers by HTTPS have it, with the default certificate, too", async () => {
  expect(await sent(byTls())).toBe(byDefault)
})

test("109: answers by HTTP have not", async () => {
  expect(await sent(site.get("/"))).toBeUndefined()
  expect(await sent(site.get("/", { host: "forced.test" }))).toBeUndefined()
  expect(await sent(site.get("/", { headers: { "x-forwarded-proto": "https" } }))).toBeUndefined()
})

test("the backend's gives way, by HTTPS only", async () => {
  echo.answer = () => ({ headers: { "Strict-Transport-Security": ["max-age=7", "max-age=8"] } })
  expect(await sent(byTls())).toBe(byDefault)
  expect(await sent(site.get("/"))).toBe("max-age=7, max-age=8")
})

test.each([
  ["moved.test", 301],
  ["idle.test", 503],
  ["unknown.test", 404],
])("what nginx answers itself has it: %s, %i", async (host, status) => {
  const answer = await byTls(host)
  expect(answer.status).toBe(status)
  expect(answer.headers["strict-transport-security"]).toBe(byDefault)
})

test("error pages have it, in the place of what their backend sends", async () => {
  echo.answer = ({ headers }) => ({
    status: headers["x-code"] === undefined ? 418 : 200,
    headers: { "Strict-Transport-Security": "max-age=7" },
    body: headers["x-code"] === undefined ? "" : "page",
  })
  // Their location needs a reload, which waits for its turn.
  await until("an error page", async () => (await byTls("pages.test")).body === "page")
  const answer = await byTls("pages.test")
  expect(answer.headers["strict-transport-security"]).toBe(byDefault)
})

test("104: max-age", async () => {
  await site.reconfigure({ "hsts-max-age": "86400" })
  expect(await sent(byTls())).toBe("max-age=86400; includeSubDomains")
})

test("106: preload", async () => {
  await site.reconfigure({
    "hsts-max-age": "86400",
    "hsts-include-subdomains": "false",
    "hsts-preload": "true",
  })
  expect(await sent(byTls())).toBe("max-age=86400; preload")
})

test("107: off, the backend's goes through", async () => {
  await site.reconfigure({ hsts: "false" })
  echo.answer = () => ({ headers: { "Strict-Transport-Security": "max-age=7" } })
  expect(await sent(byTls())).toBe("max-age=7")
})

test("a header that an Ingress sets itself, where that is allowed, goes over it", async () => {
  await site.reconfigure({ "global-allowed-response-headers": "Strict-Transport-Security" })
  expect(await sent(byTls("own.test"))).toBe("max-age=1")
})

// Response headers from a ConfigMap that an Ingress names.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  site.configure({ "global-allowed-response-headers": "My-Custom-Header,X-Addr,X-Backend" })
})
afterAll(() => site[Symbol.asyncDispose]())

const custom = ingress("demo/foo", "foo.test/ → one:80", { "custom-headers": "demo/headers" })
const put = (data: Record<string, string>) =>
  site.put(custom, ...site.service("one", "one"), settings("demo/headers", data))

test("324: the headers are on every response, in the place of the backend's; a dollar stays one", async () => {
  await put({ "My-Custom-Header": "42", "X-Addr": `$remote_addr`, "X-Backend": "mine" })
  await until("the headers", async () => (await site.get("/")).headers["my-custom-header"] === "42")
  expect((await site.get("/")).headers).toMatchObject({ "x-addr": `$remote_addr`, "x-backend": "mine" })
})

test("a change of the ConfigMap alone takes effect, without a reload", async () => {
  const before = await site.wick.metric("nginx_ingress_controller_success")
  await put({ "My-Custom-Header": "43" })
  const { headers } = await site.get("/")
  expect([headers["my-custom-header"], headers["x-addr"]]).toEqual(["43", undefined])
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before)
})

test("a header that is not allowed, or a ConfigMap that is gone, denies the paths: 503 and a Problem", async () => {
  await put({ "My-Custom-Header": "43", "X-Other": "1" })
  expect((await site.get("/")).status).toBe(503)
  await site.untilProblem("custom-headers-refused")
  await site.put(custom, ...site.service("one", "one"))
  expect((await site.get("/")).status).toBe(503)
  await site.untilProblem("reference-missing")
  await put({ "My-Custom-Header": "44" })
  expect((await site.get("/")).headers["my-custom-header"]).toBe("44")
})

// What got past ingress-nginx's access control, or was served to everybody.
import { expect, test } from "vitest"
import { ask } from "../../harness/http.ts"
import { ingress, secret, serviceOn } from "../../harness/manifests.ts"
import { basic, hashes } from "../../harness/passwords.ts"
import { until } from "../../harness/until.ts"
import { asks, authSite } from "../nginx/path/external-auth-site.ts"

const at = authSite()

test("CVE-2018-1002104: nothing about the controller is served where everybody asks", async () => {
  await at.put()
  const { port } = at.site.wick
  for (const path of ["/metrics", "/configuration/backends", "/conf", "/zones", "/debug/pprof"]) {
    const { status, body } = await ask({ port }, { path, host: "unknown.test" })
    expect([path, status]).toEqual([path, 404])
    expect(body).not.toMatch(/nginx_ingress_controller|wick_|backends/)
  }
})

test("CVE-2020-8553: names that differ in where a hyphen stands have users of their own", async () => {
  const basicAuth = { "auth-type": "basic", "auth-secret": "users" }
  const shop = (namespace: string, name: string, user: string, host: string) => [
    secret(`${namespace}/users`, { auth: `${user}:${hashes.sha}` }),
    ingress(`${namespace}/${name}`, `${host}/ → app:80`, basicAuth),
    ...serviceOn(`${namespace}/app`, [at.backend.port]),
  ]
  await at.put(...shop("a-b", "c", "first", "first.test"), ...shop("a", "b-c", "second", "second.test"))
  const status = (host: string, user: string) => at.status("/", { host, headers: basic(user) })
  expect([await status("first.test", "first"), await status("first.test", "second")]).toEqual([200, 401])
  expect([await status("second.test", "second"), await status("second.test", "first")]).toEqual([200, 401])
})

test.each([
  401, 403,
])("CVE-2026-24513: a page for %i that is answered with 200 lets nobody in", async (told) => {
  await at.put(
    ...serviceOn("demo/pages", [at.backend.port]),
    ingress("demo/app", "foo.test/ → app:80", {
      ...asks,
      "custom-http-errors": "401,403",
      "default-backend": "pages",
    }),
  )
  at.says({ status: told })
  at.backend.answer = ({ headers }) => ({
    body: headers["x-code"] === undefined ? "the application" : "a page",
  })
  // Pages are a location's, so it takes a reload.
  await until("the page", async () => (await at.get("/")).body === "a page")
  expect(at.backend.asked.every(({ headers }) => headers["x-code"] === String(told))).toBe(true)
})

// Variables that the answer of an authentication service sets, by a level (docs/wire.md, LEVEL).
import { afterAll, beforeAll, expect, test } from "vitest"
import { addHeader, authSet, levelOf, passHeader, type Setting } from "../../../harness/ingress/levels.ts"
import type { External } from "../../../harness/ingress/records.ts"
import { type Directives, scriptOf, set } from "../../../harness/ingress/script-records.ts"
import { type AuthSite, startAuthSite } from "./support/auth-site.ts"

let site: AuthSite
beforeAll(async () => {
  site = await startAuthSite({ http: "ingress_auth_cache 1m;" })
})
afterAll(() => site[Symbol.asyncDispose]())

async function guarded(
  settings: readonly Setting[],
  external: External = {},
  steps: readonly Directives[] = [],
): Promise<void> {
  await site.guard("a.test", external, { script: scriptOf(steps, [levelOf(settings)]) })
}

const get = (path = "/") => site.ingress.nginx.get(path, { host: "a.test" })
const passed = [passHeader("X-User", "$user"), passHeader("X-Other", "$other")]

test("they are of the service's answer, for headers to the backend and to the client", async () => {
  site.service.answer = () => ({ headers: { "x-name": "alice", "set-cookie": "a=1" } })
  await guarded(
    [authSet("user", "$upstream_http_x_name/$upstream_status"), ...passed, addHeader("X-Said", "$user")],
    {},
    [set("other", "of the script")],
  )
  const { headers, body } = await get()
  expect(JSON.parse(body).headers).toMatchObject({ "x-user": "alice/200", "x-other": "of the script" })
  expect(headers["x-said"]).toBe("alice/200")
})

test("later ones see those before, and what the answer lacks is empty", async () => {
  site.service.answer = () => ({ headers: { "x-name": "bob" } })
  await guarded([
    authSet("user", "$upstream_http_x_name"),
    authSet("other", "$user-$upstream_http_x_none"),
    ...passed,
  ])
  expect(JSON.parse((await get()).body).headers).toMatchObject({ "x-user": "bob", "x-other": "bob-" })
})

test("what the backend answers is not the service's", async () => {
  site.service.answer = () => ({ headers: { "x-name": "service" } })
  site.backend.answer = () => ({ headers: { "x-name": "backend" } })
  await guarded([
    authSet("user", "$upstream_http_x_name"),
    addHeader("X-Both", "$user $upstream_http_x_name"),
  ])
  expect((await get()).headers["x-both"]).toBe("service backend")
  site.backend.answer = () => ({})
})

test("who is refused gets what was set", async () => {
  site.service.answer = () => ({ status: 403, headers: { "x-why": "late" } })
  await guarded([authSet("why", "$upstream_http_x_why"), addHeader("X-Why", "$why", "always")])
  const { status, headers } = await get()
  expect([status, headers["x-why"]]).toEqual([403, "late"])
})

test("a kept answer sets nothing: the service is asked each time", async () => {
  site.service.asked.length = 0
  site.service.answer = () => ({ headers: { "x-name": `n${site.service.asked.length}` } })
  const kept = { cacheKey: "$uri", cacheDurations: { 0: 60 } }
  await guarded([authSet("user", "$upstream_http_x_name"), ...passed], kept)
  const users = [
    JSON.parse((await get()).body).headers["x-user"],
    JSON.parse((await get()).body).headers["x-user"],
  ]
  expect(users).toEqual(["n1", "n2"])
})

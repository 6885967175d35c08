// Who may not come in learns nothing of what there is: a host's implicit `/` and a Service without endpoints are asked about like any other path.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, type Json, secret, service, serviceOn } from "../../../harness/manifests.ts"
import { basic, hashes } from "../../../harness/passwords.ts"
import { Site } from "./site.ts"

let site: Site
let auth: Echo
beforeAll(async () => {
  auth = await new Echo().start()
  auth.answer = () => ({ status: 401 })
  site = await Site.start(["app"])
  const signIn = {
    "auth-url": "http://auth.demo.svc.cluster.local/",
    "auth-signin": "https://sign.test/in",
  }
  const guarded: Json[] = [
    ingress("demo/list", "list.test/foo → app:80", { "allowlist-source-range": "192.0.2.1" }),
    ingress("demo/users", "users.test/foo → app:80", { "auth-type": "basic", "auth-secret": "users" }),
    ingress("demo/sign-in", "sign.test/foo → app:80", signIn),
    ingress("demo/limit", "limit.test/foo → app:80", { "limit-rpm": "1", "limit-burst-multiplier": "1" }),
    ingress("demo/idle", "idle.test/ → nobody:80", { "auth-type": "basic", "auth-secret": "users" }),
  ]
  await site.put(
    ...site.service("app", "app"),
    ...serviceOn("demo/auth", [auth.port]),
    service("demo/nobody"),
    secret("demo/users", { auth: `foo:${hashes.plain}` }),
    ...guarded,
  )
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await auth[Symbol.asyncDispose]()
})

const status = async (host: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await site.get(path, { host, headers })).status

test("a list", async () => {
  expect(await status("list.test", "/")).toBe(403)
  expect(await status("list.test", "/other")).toBe(403)
})

test("a password, and who has it gets what there is", async () => {
  expect(await status("users.test", "/")).toBe(401)
  expect(await status("users.test", "/", basic("foo"))).toBe(404)
})

test("a sign-in", async () => {
  const { status, headers } = await site.get("/", { host: "sign.test" })
  expect([status, headers.location]).toEqual([302, expect.stringMatching(/^https:\/\/sign\.test\/in\?rd=/)])
})

test("a limit", async () => {
  const answers = []
  for (let n = 0; n < 5; n++) answers.push(await status("limit.test", "/"))
  expect(answers[0]).toBe(404)
  expect(answers.at(-1)).toBe(503)
})

test("a Service without endpoints", async () => {
  expect(await status("idle.test", "/")).toBe(401)
  expect(await status("idle.test", "/", basic("foo"))).toBe(503)
})

// Basic authentication from the Ingress to the answer: users come from Secrets, and a changed one counts from the next request on, without a reload.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startLoad } from "../../../harness/load.ts"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { basic, hashes, password, slowHash } from "../../../harness/passwords.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

type Annotations = Readonly<Record<string, string>>

const asked = { "auth-type": "basic", "auth-secret": "users", "auth-realm": "test auth" }
const app = (annotations: Annotations = {}, rules: string | readonly string[] = "foo.test/ → app:80"): Json =>
  ingress("demo/app", rules, { ...asked, ...annotations })
const users = (text = `foo:${hashes.bcrypt}`, name = "demo/users") => secret(name, { auth: text })
const put = (...objects: readonly Json[]) => site.put(...site.service("app", "one"), ...objects)

/** Status of a request with these credentials, or none. */
const statusOf = async (credentials?: readonly [string, string], path = "/") =>
  (await site.get(path, credentials && { headers: basic(...credentials) })).status

const right = ["foo", password] as const
const wrong = ["foo", "wrong"] as const

test("124: without annotations nobody is asked", async () => {
  await put(ingress("demo/app", "foo.test/ → app:80"))
  expect(await statusOf()).toBe(200)
})

test("126, 127: who sends no credentials, or wrong ones, gets 401 with the realm; who has the right ones gets in", async () => {
  await put(users(), app())
  const { status, headers } = await site.get("/")
  expect([status, headers["www-authenticate"]]).toEqual([401, 'Basic realm="test auth"'])
  expect(await statusOf(wrong)).toBe(401)
  expect(await statusOf(["bar", password])).toBe(401)
  expect(await statusOf(right)).toBe(200)
  await site.expectOnlyPosts()
})

test("129: each key of a Secret may be a user", async () => {
  await put(
    secret("demo/users", { foo: `${hashes.bcrypt}\n`, bar: hashes.apr1 }),
    app({ "auth-secret-type": "auth-map" }),
  )
  expect(await statusOf(right)).toBe(200)
  expect(await statusOf(["bar", password])).toBe(200)
  expect(await statusOf(wrong)).toBe(401)
})

test("131: a refusal carries the headers of CORS, and a preflight needs no login", async () => {
  await put(users(), app({ "enable-cors": "true" }))
  const { status, headers } = await site.get("/", { headers: { origin: "https://a.test" } })
  expect([status, headers["access-control-allow-origin"]]).toEqual([401, "*"])
  expect((await site.get("/", { method: "OPTIONS", headers: { origin: "https://a.test" } })).status).toBe(204)
})

test("132: a Secret of another namespace is taken only where the ConfigMap allows it", async () => {
  const objects = [users(undefined, "other/users"), app({ "auth-secret": "other/users" })]
  await put(...objects)
  expect(await statusOf(right)).toBe(503)
  await site.reconfigure({ "allow-cross-namespace-resources": "true" })
  expect([await statusOf(right), await statusOf()]).toEqual([200, 401])
  await site.reconfigure({})
})

test("134: a Secret that comes after the Ingress opens it, and closes it when it goes", async () => {
  await put(app())
  expect([await statusOf(right), await statusOf()]).toEqual([503, 503])
  await put(users(), app())
  expect([await statusOf(right), await statusOf()]).toEqual([200, 401])
  await put(app())
  expect([await statusOf(right), await statusOf()]).toEqual([503, 503])
})

test("136: no-auth-locations are free of it, by the path of the Ingress", async () => {
  await site.reconfigure({ "no-auth-locations": "/noauth" })
  await put(users(), app({}, ["foo.test/ → app:80", "foo.test/noauth → app:80"]))
  expect(await statusOf()).toBe(401)
  expect(await statusOf(undefined, "/noauth")).toBe(200)
  for (const path of ["/noauthx", "/NOAUTH", "//x"]) expect(await statusOf(undefined, path), path).toBe(401)
  // Which of the two locations it is depends on who reads it (docs/differences.md).
  expect(await statusOf(undefined, "/%6eoauth/../x")).toBe(400)
  await site.reconfigure({})
})

describe("171: satisfy", () => {
  test.each([
    ["all", "127.0.0.0/8", 401, 200],
    ["all", "18.0.0.0/8", 403, 403],
    ["any", "127.0.0.0/8", 200, 200],
    ["any", "18.0.0.0/8", 401, 200],
  ])("%s with %s", async (satisfy, range, without, withPassword) => {
    await put(users(), app({ satisfy, "allowlist-source-range": range }))
    expect([await statusOf(), await statusOf(right)]).toEqual([without, withPassword])
  })
})

test("the backend does not get the password, whoever let the request in", async () => {
  const got = async (credentials: readonly [string, string]) => {
    expect(await statusOf(credentials)).toBe(200)
    return Object.keys(site.backend("one").lastHeaders)
  }
  await put(users(), app())
  expect(await got(right)).not.toContain("authorization")
  await put(users(), app({ satisfy: "any", "allowlist-source-range": "127.0.0.0/8" }))
  expect(await got(wrong)).not.toContain("authorization")
  await put(ingress("demo/app", "foo.test/ → app:80"))
  expect(await got(wrong)).toContain("authorization")
})

test("of several Authorization headers none reaches the backend", async () => {
  await put(users(), app())
  const head = (count: number) =>
    `GET / HTTP/1.1\r\nHost: foo.test\r\nX-A: a\r\n${`Authorization: ${basic(...right).authorization}\r\n`.repeat(count)}X-B: b\r\nConnection: close\r\n\r\n`
  for (const count of [1, 2, 3, 30]) {
    site.backend("one").lastHeaders = {}
    const answer = await rawRequest(site.wick.port, head(count))
    expect(answer).toMatch(/^HTTP\/1.1 (200|400|500)/)
    expect(Object.keys(site.backend("one").lastHeaders)).not.toContain("authorization")
    if (answer.startsWith("HTTP/1.1 200"))
      expect(site.backend("one").lastHeaders).toMatchObject({ "x-a": "a", "x-b": "b" })
  }
})

test("off is a realm", async () => {
  await put(users(), app({ "auth-realm": "off" }))
  const { status, headers } = await site.get("/")
  expect([status, headers["www-authenticate"]]).toEqual([401, 'Basic realm="off"'])
})

test("a changed password counts from the next request on, and takes no reload", async () => {
  await put(users(`foo:${hashes.plain}\nbar:${hashes.plain}`), app())
  expect([await statusOf(right), await statusOf(["bar", password])]).toEqual([200, 200])
  await put(users(`foo:{PLAIN}new\nbar:${hashes.plain}`), app())
  expect([await statusOf(right), await statusOf(["foo", "new"])]).toEqual([401, 200])
  await put(users(`foo:{PLAIN}new`), app())
  expect([await statusOf(["bar", password]), await statusOf(["foo", "new"])]).toEqual([401, 200])
  await put(users("nonsense"), app())
  expect(await statusOf(["foo", "new"])).toBe(503)
  await put(users(), app())
  expect(await statusOf(right)).toBe(200)
})

test("of two Ingresses each asks for its own users", async () => {
  const both = ["foo", "bar"].flatMap((name) => [
    secret(`demo/of-${name}`, { auth: `${name}:${hashes.plain}` }),
    ingress(`demo/${name}`, `foo.test/${name} → app:80`, { ...asked, "auth-secret": `of-${name}` }),
  ])
  await put(...both)
  expect([await statusOf(right, "/foo"), await statusOf(right, "/bar")]).toEqual([200, 401])
})

test("ten thousand users are no more than a few", async () => {
  const text = Array.from({ length: 10_000 }, (_, n) => `user-${n}:{PLAIN}p-${n}`).join("\n")
  await put(users(text), app())
  expect(await statusOf(["user-9999", "p-9999"])).toBe(200)
  expect(await statusOf(["user-9999", "p-9998"])).toBe(401)
  await put(users(`${text}\none:{PLAIN}more`), app())
  expect(await statusOf(["user-9999", "p-9999"])).toBe(503)
})

test("no request fails while users change under load", async () => {
  await put(users(`foo:${hashes.plain}`), app())
  const headers = basic(...right)
  const question = () => ({ host: "foo.test", headers })
  const load = startLoad({ port: site.wick.port, pauseMs: 5, question })
  for (let n = 0; n < 6; n += 1) await put(users(`foo:${hashes.plain}\nu${n}:${slowHash}`), app())
  const { statuses, lost } = await load.stop()
  expect([[...statuses.keys()], lost]).toEqual([[200], []])
})

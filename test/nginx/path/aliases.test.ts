// Aliases on a real nginx, from YAML to answer. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["a", "b"])
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(() => site.expectOnlyPosts())

const put = (...ingresses: readonly Json[]) =>
  site.put(...["a", "b"].flatMap((name) => site.service(name, name)), ...ingresses)

const body = async (host: string, path = "/") => (await site.get(path, { host })).body
const status = async (host: string, path = "/") => (await site.get(path, { host })).status

test("61: host and alias are served alike, and the backend sees which was asked for", async () => {
  await put(ingress("demo/one", "foo.test/ → a:80", { "server-alias": "bar.test" }))
  for (const host of ["foo.test", "bar.test"]) {
    expect(await body(host)).toBe("a")
    expect(site.backend("a").lastHeaders.host).toBe(host)
  }
})

test("62: the alias of a younger Ingress has the paths of the older one", async () => {
  await put(
    ingress("demo/a", "foo.test/app-a → a:80", {}, 1),
    ingress("demo/b", "foo.test/app-b → b:80", { "server-alias": "bar.test" }, 2),
  )
  expect(await body("bar.test", "/app-a")).toBe("a")
  expect(await body("bar.test", "/app-b")).toBe("b")
})

test("64: blanks and duplicates in the list", async () => {
  await put(ingress("demo/one", "foo.test/ → a:80", { "server-alias": "a.test, b.test,a.test" }))
  expect([await body("a.test"), await body("b.test")]).toEqual(["a", "a"])
})

test("66: sessions begin on host and aliases", async () => {
  await put(ingress("demo/one", "foo.test/ → a:80", { "server-alias": "a.test,b.test", affinity: "cookie" }))
  for (const host of ["foo.test", "a.test", "b.test"]) {
    expect((await site.get("/", { host })).headers["set-cookie"]?.[0]).toMatch(/^INGRESSCOOKIE=/)
  }
})

test("67: an alias is not redirected to HTTPS without a certificate of its own", async () => {
  const tls = { tls: [{ hosts: ["foo.test"], secretName: "foo" }] }
  const one = ingress("demo/one", "foo.test/ → a:80", { "server-alias": "bar.test" })
  await put({ ...one, spec: { ...(one.spec as object), ...tls } })
  expect(await status("bar.test")).toBe(200)
})

test("an alias gives way to a host of that name, and comes back", async () => {
  const one = ingress("demo/one", "foo.test/ → a:80", { "server-alias": "bar.test" }, 1)
  await put(one, ingress("demo/two", "bar.test/ → b:80", {}, 2))
  expect(await body("bar.test")).toBe("b")
  await site.untilProblem("alias-left-out")
  await put(one)
  expect(await body("bar.test")).toBe("a")
})

test("an alias that is taken away is served no more", async () => {
  await put(ingress("demo/one", "foo.test/ → a:80", { "server-alias": "bar.test" }))
  expect(await status("bar.test")).toBe(200)
  await put(ingress("demo/one", "foo.test/ → a:80"))
  expect(await status("bar.test")).toBe(404)
})

test("paths and names cost their sum in shared memory", async () => {
  const many = (length: number, name: (at: number) => string) => Array.from({ length }, (_, at) => name(at))
  const used = () => site.wick.metric("wick_zone_used_bytes", 'zone="routes"')
  const paths = many(100, (at) => `foo.test/path-${at} → a:80`)
  await put(ingress("demo/one", paths))
  const without = await used()
  const names = many(1000, (at) => `alias-${at}.test`)
  await put(ingress("demo/one", paths, { "server-alias": names.join() }))
  expect(await body("alias-999.test", "/path-99")).toBe("a")
  // A name takes about 100 bytes, and the paths some 15,000.
  expect((await used()) - without).toBeLessThan(1000 * 200)
})

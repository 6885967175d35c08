// Patterns and rewriting on a real nginx, from YAML to what the backend sees. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["a", "b"])
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(() => site.expectOnlyPosts())

const put = (...ingresses: readonly Json[]) =>
  site.put(...["a", "b"].flatMap((name) => site.service(name, name)), ...ingresses)

/** The backend that answers and the path that it sees, or the status of nginx's answer. */
async function seen(path: string): Promise<string> {
  const { status, body } = await site.get(path)
  return status === 200 ? `${body} ${site.backend(body).lastUrl}` : String(status)
}

/** Path → what is seen of a request for it. */
async function expectSeen(expected: Readonly<Record<string, string>>): Promise<void> {
  const found: Record<string, string> = {}
  for (const path of Object.keys(expected)) found[path] = await seen(path)
  expect(found).toEqual(expected)
}

describe("use-regex", () => {
  test("41: a pattern matches at the start of the path", async () => {
    await put(ingress("demo/one", "foo.test/id/[0-9]+ ~→ a:80", { "use-regex": "true" }))
    await expectSeen({
      "/id/1": "a /id/1",
      "/id/12": "a /id/12",
      "/id/123": "a /id/123",
      "/id/123a": "a /id/123a",
      "/ID/1": "a /ID/1",
      "/id/aaa": "404",
      "/x/id/1": "404",
    })
  })

  test("42: and at its end if it says so", async () => {
    await put(ingress("demo/one", "foo.test/id/[0-9]+$ ~→ a:80", { "use-regex": "true" }))
    await expectSeen({ "/id/1": "a /id/1", "/id/1?x=y": "a /id/1?x=y", "/id/123a": "404" })
  })

  test("44: several groups of characters", async () => {
    const path = "foo.test/id/[0-9]+/post/[a-zA-Z]+$ ~→ a:80"
    await put(ingress("demo/one", path, { "use-regex": "true" }))
    await expectSeen({
      "/id/123/post/abc": "a /id/123/post/abc",
      "/id/123/post/abc123": "404",
      "/id/abc/post/abc": "404",
    })
  })

  test("an exact / is for nothing but /", async () => {
    const rewritten = { "rewrite-target": "/app" }
    await put(ingress("demo/one", "foo.test/ =→ a:80", rewritten))
    await expectSeen({ "/": "a /app", "/?x=y": "a /app?x=y", "//": "a /app", "/x": "404" })
    await put(ingress("demo/one", ["foo.test/ =→ a:80", "foo.test/ → b:80"], rewritten))
    await expectSeen({ "/": "a /app", "/x": "b /app" })
    await put(
      ingress("demo/one", "foo.test/ =→ a:80"),
      ingress("demo/two", "foo.test/x(.*) ~→ b:80", { "rewrite-target": "/app$1" }),
    )
    await expectSeen({ "/": "a /", "/x/1": "b /app/1", "/y": "404" })
  })

  test("59: on a host with patterns an exact path is one, too", async () => {
    await put(
      ingress("demo/one", "foo.test/foo =→ a:80"),
      ingress("demo/two", "foo.test/x/[0-9] ~→ b:80", { "use-regex": "true" }),
    )
    await expectSeen({ "/foo": "a /foo", "/foobar": "a /foobar", "/x/1": "b /x/1" })
  })

  test("a pattern that does not compile costs its own path only", async () => {
    await put(ingress("demo/one", ["foo.test/a( ~→ a:80", "foo.test/b+ ~→ b:80"], { "use-regex": "true" }))
    await expectSeen({ "/bb": "b /bb", "/a(": "404" })
  })
})

describe("rewrite-target", () => {
  const rewriting = (path: string, target: string, more: Record<string, string> = {}, day = 1) =>
    ingress("demo/rewriting", `foo.test${path} ~→ b:80`, { "rewrite-target": target, ...more }, day)

  test("46: a plain path of another Ingress stays as it is", async () => {
    await put(
      ingress("demo/plain", "foo.test/foo → a:80", {}, 1),
      rewriting("/foo.+", "/new/backend", { "use-regex": "true" }, 2),
    )
    await expectSeen({ "/foo": "a /foo", "/foo/bar": "b /new/backend" })
  })

  test("47: the longer pattern comes first", async () => {
    await put(
      ingress("demo/plain", "foo.test/foo/bar/bar → a:80", {}, 1),
      rewriting("/foo/bar/[a-z]{3}", "/new/backend", { "use-regex": "true" }, 2),
    )
    await expectSeen({ "/foo/bar/bar": "b /new/backend" })
  })

  test("49: groups of the path", async () => {
    await put(rewriting("/something(/|$)(.*)", "/$2"))
    await expectSeen({
      "/something": "b /",
      "/something/": "b /",
      "/something/new": "b /new",
      "/something/new/?a=b": "b /new/?a=b",
    })
  })

  test("51: everything below the path has one target, and the error log says so if it shall", async () => {
    await put(rewriting("/something", "/", { "enable-rewrite-log": "true" }))
    await expectSeen({ "/something": "b /", "/something/else": "b /" })
    for (const line of [
      '"(?i)/something" matches "/something/else", client',
      'rewritten data: "/", args: ""',
    ])
      await until(line, () => site.wick.log().includes(JSON.stringify(line).slice(1, -1)))
  })

  test("52: a target that is the path changes nothing, and makes no pattern of it", async () => {
    await put(rewriting("/foo", "/foo"))
    await expectSeen({ "/foo/bar": "b /foo/bar", "/foobar": "404", "/FOO": "404" })
  })

  test("54: X-Forwarded-Prefix goes with it", async () => {
    await put(rewriting("/(path)/(.*)", "/$2", { "x-forwarded-prefix": "/$1" }))
    await expectSeen({ "/path/x": "b /x" })
    expect(site.backend("b").lastHeaders["x-forwarded-prefix"]).toBe("/path")
  })

  test("56: what cannot be a target is ignored", async () => {
    await put(rewriting("/foo", "/a b"))
    await expectSeen({ "/foo/bar": "b /foo/bar" })
    await site.untilProblem("annotation-refused")
  })

  test("a target that is changed is in force at once", async () => {
    for (const target of ["/one", "/two/$1"]) {
      await put(rewriting("/(x)", target))
      await expectSeen({ "/x": `b ${target.replace("$1", "x")}` })
    }
  })
})

describe("app-root", () => {
  test("57: a request for / is redirected, others are not", async () => {
    await put(ingress("demo/one", "foo.test/ → a:80", { "app-root": "/foo" }))
    const { status, headers } = await site.get("/", { host: "foo.test" })
    expect([status, headers.location]).toEqual([302, "http://foo.test/foo"])
    await expectSeen({ "/x": "a /x" })
  })

  test("on a host with patterns as well", async () => {
    const rules = "foo.test/x/(.*) ~→ a:80"
    await put(ingress("demo/one", rules, { "app-root": "/foo", "rewrite-target": "/$1" }))
    expect((await site.get("/")).headers.location).toBe("http://foo.test/foo")
    await expectSeen({ "/x/y": "a /y" })
  })
})

import { describe, expect, test } from "vitest"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import {
  ingress,
  options,
  passOf,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

const objects = [service("shop/cart", "80"), slice("shop/cart", ["10.0.0.1"], "8080")]
const regex = { affinity: "cookie", "use-regex": "true" }

/** Path that the cookie is given, and what is said about it. */
function cookie(paths: readonly string[], annotations: Record<string, string> = regex) {
  const rules = paths.map((path) => `one.test${path} → cart:80`)
  const input = snapshot(...objects, ingress("shop/one", rules, annotations))
  const { model, problems } = translate(input, settings, options)
  const path = model.live.backends[0]?.affinity?.cookie.path
  return { path, codes: problems.map(({ code }) => code) }
}

describe("the path of a cookie", () => {
  test.each([
    ["/foo/.*", "/foo/"],
    ["/foo/bar/[0-9]+/x", "/foo/bar/"],
    ["/something(/|$)(.*)", "/"],
    ["/foo/bar(/|$)[a-z|]", "/foo/"],
    ["/foo$", "/"],
    // a slash that may be missing does not count
    ["/foo/?(.*)", "/"],
    ["/a/foo/{0,1}x", "/a/"],
    ["/foo/+x", "/foo/"],
    // neither does what stands in one of several alternatives
    ["/foo/a|/bar/b", "/"],
    ["/foo/a\\(|/bar/b", "/"],
    ["/foo/[(]|/bar", "/"],
    ["/foo/[\\](]|/bar", "/"],
    ["/foo/[^|]+", "/foo/"],
    // what cannot stand in a cookie
    ["/foo/a;Domain=x/.*", "/foo/"],
    ["/foo/ä/.*", "/foo/"],
    ["/v1.0/.*", "/"],
  ])("for %s is %s", (pattern, path) => {
    expect(cookie([pattern])).toEqual({ path, codes: ["cookie-path-of-pattern"] })
  })

  test.each([["/foo"], ["/foo/"], ["/v1.0/api"]])("for %s is that of the route", (path) => {
    expect(cookie([path])).toEqual({ path: undefined, codes: [] })
  })

  test("is as it was for what only looks like a pattern", () => {
    expect(cookie(["/foo/(x)"], { affinity: "cookie" })).toEqual({ path: undefined, codes: [] })
  })

  test("is that of the annotation, whatever the path", () => {
    const annotations = { ...regex, "session-cookie-path": "/foo" }
    expect(cookie(["/foo/.*"], annotations)).toEqual({ path: "/foo", codes: [] })
  })

  test("holds all paths of the backend, and is told once", () => {
    const codes = ["cookie-path-of-pattern"]
    expect(cookie(["/shop/a/.*", "/shop/ab/.*"])).toEqual({ path: "/shop/", codes })
    expect(cookie(["/shop/a/b", "/shop/a/b/.*"])).toEqual({ path: "/shop/a/", codes })
    expect(cookie(["/a/.*", "/b"])).toEqual({ path: "/", codes })
  })
})

test("a pass after another sees that a path has become a pattern", () => {
  const translator = new Translator(options)
  const paths = [{ affinity: "cookie" }, regex, { affinity: "cookie" }].map((annotations) => {
    const input = snapshot(...objects, ingress("shop/one", "one.test/foo/.* → cart:80", annotations))
    return passOf(translator, input, settings).model.live.backends[0]?.affinity?.cookie.path
  })
  expect(paths).toEqual([undefined, "/foo/", undefined])
})

// Hosts, paths and path types on a real nginx, from YAML to answer. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["a", "b", "c"])
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(() => site.expectOnlyPosts())

const put = (...ingresses: readonly Json[]) =>
  site.put(...["a", "b", "c"].flatMap((name) => site.service(name, name)), ...ingresses)

/** Who answers, or with which status. */
async function answer(path: string, host = "foo.test"): Promise<string> {
  const { status, body } = await site.get(path, { host })
  return status === 200 ? body : String(status)
}

/** Path → who answers it. */
async function expectAnswers(expected: Readonly<Record<string, string>>, host?: string): Promise<void> {
  const paths = Object.keys(expected)
  const found = await Promise.all(paths.map((path) => answer(path, host)))
  expect(Object.fromEntries(paths.map((path, at) => [path, found[at]]))).toEqual(expected)
}

test("19: hosts match in any case and with any port", async () => {
  await put(ingress("demo/one", "Foo.TEST/ → a:80"))
  for (const host of ["foo.test", "FOO.test", "foo.test:8080", "Foo.Test:80"])
    expect(await answer("/", host)).toBe("a")
})

test("21: a host comes before the wildcard that matches it too", async () => {
  await put(ingress("demo/one", "a.foo.test/ → a:80"), ingress("demo/two", "*.foo.test/ → b:80"))
  expect(await answer("/", "a.foo.test")).toBe("a")
  expect(await answer("/", "b.foo.test")).toBe("b")
  expect(await answer("/", "x.b.foo.test")).toBe("404")
})

test("22: a prefix matches by elements", async () => {
  await put(ingress("demo/one", "foo.test/aaa → a:80"))
  await expectAnswers({ "/aaa": "a", "/aaa/": "a", "/aaa/cccc": "a", "/aaacccc": "404" })
})

test("24: an exact path and a prefix of the same text", async () => {
  await put(ingress("demo/one", "foo.test/exact =→ a:80"), ingress("demo/two", "foo.test/exact → b:80"))
  await expectAnswers({ "/exact": "a", "/exact/suffix": "b" })
})

test("26: an exact / and a prefix /", async () => {
  await put(ingress("demo/one", ["foo.test/ =→ a:80", "foo.test/ → b:80"]))
  await expectAnswers({ "/": "a", "/bar": "b" })
})

test("27: an exact path, its prefix, and /", async () => {
  await put(ingress("demo/one", ["foo.test/foo =→ a:80", "foo.test/foo → b:80", "foo.test/ → c:80"]))
  await expectAnswers({ "/foo": "a", "/foo/bar": "b", "/foobar": "c" })
})

test("29: ImplementationSpecific means Prefix", async () => {
  await put(ingress("demo/one", "foo.test/foo ~→ a:80"))
  await expectAnswers({ "/foo": "a", "/foo/bar": "a", "/foobar": "404" })
})

test("31: a rule without host serves every unknown host, sessions included", async () => {
  await put(ingress("demo/one", "/ → a:80", { affinity: "cookie" }), ingress("demo/two", "foo.test/x → b:80"))
  const { body, headers } = await site.get("/any", { host: "unknown.test" })
  expect(body).toBe("a")
  expect(headers["set-cookie"]?.[0]).toMatch(/^INGRESSCOOKIE=.*; Path=\/;/)
})

test("32: a resource backend is answered 404, and others are served", async () => {
  const broken = ingress("demo/one", "foo.test/ → a:80")
  const resource = { apiGroup: "k8s.example.com", kind: "StorageBucket", name: "static" }
  const rules = [
    { host: "foo.test", http: { paths: [{ path: "/", pathType: "Prefix", backend: { resource } }] } },
  ]
  await put(
    { ...broken, spec: { ingressClassName: "nginx", rules } },
    ingress("demo/two", "bar.test/ → b:80"),
  )
  expect(await answer("/")).toBe("404")
  expect(await answer("/", "bar.test")).toBe("b")
  await site.untilProblem("resource-backend")
})

test("34: of two Ingresses of one age the one with the greater name serves", async () => {
  await put(ingress("demo/one", "foo.test/ → a:80", {}, 1), ingress("demo/two", "foo.test/ → b:80", {}, 1))
  expect(await answer("/")).toBe("b")
})

test("36: two namespaces share a host, each with its own Service of one name", async () => {
  const other = serviceOn("other/a", [site.backend("b").port])
  await put(...other, ingress("demo/one", "foo.test/one → a:80"), ingress("other/two", "foo.test/two → a:80"))
  await expectAnswers({ "/one": "a", "/two": "b" })
})

test("37: each host of an Ingress has its own Service", async () => {
  await put(ingress("demo/one", ["foo.test/ → a:80", "bar.test/ → b:80"]))
  expect([await answer("/"), await answer("/", "bar.test")]).toEqual(["a", "b"])
})

test("39: paths match what was escaped in the request", async () => {
  await put(ingress("demo/one", "foo.test/foo → a:80"))
  await expectAnswers({ "/%66oo": "a", "/%66oo/x": "a", "/foo/x/../y": "a", "//foo": "a" })
  // A backend could read it as a path that is nobody's (docs/differences.md).
  await expectAnswers({ "/x/../foo": "400" })
})

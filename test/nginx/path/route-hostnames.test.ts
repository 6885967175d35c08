// Which of two HTTPRoutes serves where one has written the name and the other a wider one, or none: the name comes before the path, whatever kind that is of.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Json } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["own", "wide"])
})
afterAll(() => site[Symbol.asyncDispose]())

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: { name, ...(kind !== "GatewayClass" && { namespace: "demo" }) },
})

const path = (type: string, value: string, more: Json = {}) => ({ path: { type, value }, ...more })
const pattern = (value: string) => path("RegularExpression", value)

/** `own` has the name pay.test, `wide` is for all. */
async function serve(
  own: readonly Json[],
  wide: readonly Json[],
  filters: readonly Json[] = [],
): Promise<void> {
  const route = (name: string, matches: readonly Json[], more: Json, ofRule: Json = {}) =>
    object("HTTPRoute", name, {
      ...{ parentRefs: [{ name: "edge" }], ...more },
      rules: [{ matches, backendRefs: [{ name, port: 80 }], ...ofRule }],
    })
  await site.put(
    object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }),
    object("Gateway", "edge", {
      gatewayClassName: "wick",
      listeners: [{ name: "http", port: 80, protocol: "HTTP" }],
    }),
    ...[...site.service("own", "own"), ...site.service("wide", "wide")],
    ...[route("own", own, { hostnames: ["pay.test"] }, { filters }), route("wide", wide, {})],
  )
}

async function served(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { status, body } = await site.get(path, { host: "pay.test", headers })
  return status === 200 ? `${body} ${site.backend(body).lastUrl}` : status
}

test("a pattern of the wider one gets what prefixes of the other leave", async () => {
  await serve([path("PathPrefix", "/")], [pattern("/.*"), pattern(".*")])
  expect(await served("/x")).toBe("own /x")
  await serve([path("PathPrefix", "/api")], [pattern("/.*")])
  expect([await served("/api"), await served("/api/x"), await served("/apis")]).toEqual([
    "own /api",
    "own /api/x",
    "wide /apis",
  ])
  expect((await site.get("/api", { host: "other.test" })).body).toBe("wide")
})

test("what conditions and filters of a prefix say holds there, too", async () => {
  const replaced = { type: "ReplacePrefixMatch", replacePrefixMatch: "/new" }
  const filters = [{ type: "URLRewrite", urlRewrite: { path: replaced } }]
  const own = path("PathPrefix", "/a.b", { headers: [{ name: "X-Key", value: "1" }] })
  await serve([own], [pattern("/.*")], filters)
  const key = { "x-key": "1" }
  expect([await served("/a.b/x%2Fy?z", key), await served("/a.b", key)]).toEqual([
    "own /new/x%2Fy?z",
    "own /new",
  ])
  expect([await served("/a.b/x"), await served("/aXb", key)]).toEqual(["wide /a.b/x", "wide /aXb"])
})

test("an exact path of the wider one comes behind patterns of the other", async () => {
  await serve([pattern("/api/.*")], [path("Exact", "/api/login"), path("Exact", "/x.y")])
  expect([await served("/api/login"), await served("/x.y"), await served("/x-y")]).toEqual([
    "own /api/login",
    "wide /x.y",
    404,
  ])
})

test("what is no pattern is passed over, and harms nobody", async () => {
  await serve(
    [path("PathPrefix", "/api")],
    [pattern("("), pattern("/("), pattern("a)|(?:.*"), pattern("/ok")],
  )
  expect([await served("/api"), await served("/ok")]).toEqual(["own /api", "wide /ok"])
})

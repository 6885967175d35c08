// What becomes of the requests of a route: headers, paths, redirects, copies and CORS by the words of the Gateway API, posted.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Asked, Echo } from "../../../harness/echo.ts"
import { backend, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"

let plane: Plane
const echoes: Echo[] = []

beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) echoes.push(await new Echo().start())
  plane = await startPlane({
    workers: 2,
    inHttp: "ingress_route_default upstream_vhost $http_host;",
    inLocation: "proxy_set_header Host $route_upstream_vhost; client_body_buffer_size 16k;",
    inServer: `location @location-other {
      proxy_wasm balancer; proxy_set_header X-Location other; proxy_set_header Host $route_upstream_vhost;
      proxy_pass http://upstream_balancer;
    }`,
  })
  const named = ["one", "two", "three"].map((name, at) => backend(name, [endpointOf(at)]))
  await plane.apply({ backends: { set: named } })
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  for (const echo of echoes) await echo[Symbol.asyncDispose]()
})

function echo(at: number): Echo {
  const found = echoes[at]
  if (found === undefined) throw new Error(`There is no backend ${at}`)
  return found
}

function endpointOf(at: number) {
  return { endpoint: { address: "127.0.0.1", port: String(echo(at).port) } }
}

const critical = {
  actions: ["set_request_headers", "add_request_headers", "path", "path_prefix"],
  share: ["status", "actions", "location", "variables"],
}

interface Fields {
  readonly [field: string]: unknown
}

function withCritical<Known extends Fields>(fields: Known, names: readonly string[]): Fields {
  return { ...fields, critical: names.filter((name) => name in fields) }
}

/** Serves a path of `act.test`, and so every path of it, by `one` unless told otherwise. */
async function serve(actions: Fields, more: Fields = {}, path = "/"): Promise<void> {
  const route = {
    ...{ path, match: "prefix", location: "location-plain", backend: "one" },
    ...more,
    actions: withCritical(actions, critical.actions),
  }
  const names = ["actions", "split", "redirect"]
  await plane.apply({ routes: { set: [{ host: "act.test", routes: [withCritical(route, names)] }] } })
}

function get(target: string, headers: Readonly<Record<string, string | string[]>> = {}, method = "GET") {
  return plane.nginx.get(target, { host: "act.test", headers, method })
}

async function asked(
  target: string,
  headers: Readonly<Record<string, string | string[]>> = {},
): Promise<Asked> {
  return (await get(target, headers)).json() as Asked
}

test("headers of the request are set, added and removed, whatever their case", async () => {
  await serve({
    set_request_headers: [
      { name: "X-Set", value: "set" },
      { name: "X-Gone", value: "" },
      { name: "Host", value: "other.test" },
      { name: "Content-Length", value: "7" },
    ],
    add_request_headers: [
      { name: "X-Add", value: "added" },
      { name: "x-new", value: "$host is literal" },
      { name: "Transfer-Encoding", value: "chunked" },
    ],
  })
  const { headers } = await asked("/", { "x-set": ["a", "b"], "x-add": "own", "X-GONE": "1", "x-kept": "1" })
  expect(headers).toMatchObject({
    ...{ "x-set": "set", "x-add": "own, added", "x-new": "$host is literal", "x-kept": "1" },
    host: "act.test",
  })
  for (const name of ["x-gone", "content-length", "transfer-encoding"])
    expect(headers).not.toHaveProperty(name)
})

test("headers of the response are set, added and removed, and framing ones stay", async () => {
  echo(0).answer = () => ({ headers: { "x-set": "own", "x-add": "own", "x-gone": "1" }, body: "body" })
  await serve(
    {
      set_response_headers: [
        { name: "X-Set", value: "set" },
        { name: "X-Gone", value: "" },
        { name: "Content-Length", value: "1" },
      ],
      add_response_headers: [
        { name: "X-Add", value: "added" },
        { name: "X-Add", value: "twice" },
      ],
    },
    { headers: [{ name: "X-Set", value: "of the route" }] },
  )
  const answer = await get("/")
  echo(0).answer = () => ({})
  expect(answer.body).toBe("body")
  expect(answer.headers).toMatchObject({ "x-set": "set", "x-add": "own, added, twice" })
  expect(answer.headers).not.toHaveProperty("x-gone")
})

test.each([
  ["/foo", "/xyz", "/foo/bar", "/xyz/bar"],
  ["/foo", "/xyz/", "/foo/bar", "/xyz/bar"],
  ["/foo/", "/xyz", "/foo/bar", "/xyz/bar"],
  ["/foo/", "/xyz/", "/foo/bar", "/xyz/bar"],
  ["/foo", "/xyz", "/foo", "/xyz"],
  ["/foo", "/xyz", "/foo/", "/xyz/"],
  ["/foo", "/", "/foo/bar", "/bar"],
  ["/foo", "/", "/foo/", "/"],
  ["/foo", "/", "/foo", "/"],
  ["/", "/xyz", "/", "/xyz/"],
  ["/", "/xyz", "/foo?a=b", "/xyz/foo?a=b"],
  ["/foo", "/xyz", "/foo/a%2Fb%20c?q=%3F", "/xyz/a%2Fb%20c?q=%3F"],
  ["/foo", "/x y", "/f%6Fo/a%20b", "/x%20y/a%20b"],
  ["/foo", "/xyz", "/foo/a/../b%20c", "/xyz/b%20c"],
])("of the prefix %s by %s, %s becomes %s", async (path, by, target, becomes) => {
  await serve({ path: by, path_prefix: true }, {}, path)
  expect((await asked(target)).url).toBe(becomes)
  await serve(
    { path: by, path_prefix: true },
    { redirect: { code: 302, to: "https://other.test:8443" } },
    path,
  )
  const { status, headers } = await get(target)
  expect([status, headers.location]).toEqual([302, `https://other.test:8443${becomes}`])
})

test("a whole path is replaced, and the arguments stay", async () => {
  await serve({ path: "/one?" })
  expect((await asked("/full/path?a=b")).url).toBe("/one%3F?a=b")
  await serve({ path: "/one" }, { redirect: { code: 308, to: "http://$host" } })
  const { status, headers } = await get("/full?a=b")
  expect([status, headers.location]).toEqual([308, "http://act.test/one?a=b"])
})

test("each of several backends has its own headers, path and variables, and those of the route", async () => {
  const share = (name: string, more: Fields) =>
    withCritical({ weight: 1, backend: name, ...more }, critical.share)
  const actions = (fields: Fields) => withCritical(fields, critical.actions)
  await serve(
    { path: "/all", add_request_headers: [{ name: "X-Of", value: "route" }] },
    {
      split: [
        share("one", {
          actions: actions({ path: "/own", add_request_headers: [{ name: "X-Of", value: "one" }] }),
          variables: { upstream_vhost: "one.test", unknown_to_all: "1" },
        }),
        share("two", { actions: actions({ add_response_headers: [{ name: "X-By", value: "two" }] }) }),
      ],
    },
  )
  const seen = new Set<string>()
  for (let n = 0; n < 8; n += 1) {
    const answer = await get("/x")
    const { url, headers } = answer.json() as Asked
    seen.add(`${url} ${headers["x-of"]} ${headers.host} ${answer.headers["x-by"]}`)
  }
  expect([...seen].sort()).toEqual(["/all route act.test two", "/own route, one one.test undefined"])
})

test("a share in a location that there is not is not served", async () => {
  const split = [withCritical({ weight: 1, backend: "one", location: "nowhere" }, critical.share)]
  await serve({}, { split })
  expect((await get("/")).status).toBe(503)
})

test("a backend, and who gets copies, may be reached by a location of their own", async () => {
  const split = [withCritical({ weight: 1, backend: "one", location: "location-other" }, critical.share)]
  const mirrors = [
    { backend: "two", location: "location-other", critical: ["location"] },
    { backend: "three" },
  ]
  await serve({ mirrors }, { split })
  for (const at of [1, 2]) echo(at).asked.length = 0
  expect((await asked("/")).headers).toMatchObject({ "x-location": "other", host: "act.test" })
  await until("both copies", () => echo(1).asked.length === 1 && echo(2).asked.length === 1)
  expect(echo(1).last.headers["x-location"]).toBe("other")
  // Without one it is the request's.
  expect(echo(2).last.headers["x-location"]).toBe("other")
})

test("a body that is in a file is copied whole", async () => {
  await serve({ mirrors: [{ backend: "two" }, { backend: "three" }] })
  for (const at of [1, 2]) echo(at).asked.length = 0
  const body = "0123456789abcdef".repeat(20_000)
  const answer = await plane.nginx.get("/", { host: "act.test", method: "PUT", body })
  expect((answer.json() as Asked).body === body).toBe(true)
  await until("both copies", () => echo(1).asked.length === 1 && echo(2).asked.length === 1)
  expect([echo(1), echo(2)].map(({ last }) => last.body === body)).toEqual([true, true])
})

test("copies have method, body, path and headers of the request as its backend gets it", async () => {
  await serve(
    {
      ...{ path: "/new", path_prefix: true },
      add_request_headers: [{ name: "X-Add", value: "added" }],
      mirrors: [
        { backend: "two", critical: [] },
        { backend: "three", variables: { upstream_vhost: "copy.test" }, critical: ["variables"] },
      ],
    },
    {},
    "/old",
  )
  for (const at of [1, 2]) echo(at).asked.length = 0
  const answer = await plane.nginx.get("/old/a%2Fb?c", { host: "act.test", method: "POST", body: "hello" })
  const own = answer.json() as Asked
  expect(own).toMatchObject({ method: "POST", url: "/new/a%2Fb?c", body: "hello" })
  await until("both copies", () => echo(1).asked.length === 1 && echo(2).asked.length === 1)
  expect(echo(1).asked[0]).toEqual(own)
  expect(echo(2).asked[0]).toEqual({ ...own, headers: { ...own.headers, host: "copy.test" } })
})

test("a part of the requests is copied", async () => {
  const mirrors = [
    { backend: "two", numerator: 20, critical: ["numerator"] },
    { backend: "three", numerator: 25, denominator: 50, critical: ["numerator", "denominator"] },
  ]
  await serve({ mirrors })
  for (const at of [1, 2]) echo(at).asked.length = 0
  for (let n = 0; n < 100; n += 1) expect((await get("/")).status).toBe(200)
  await serve({ mirrors: [{ backend: "two" }, { backend: "three" }] })
  await get("/last")
  const isThere = (at: number) => echo(at).asked.some(({ url }) => url === "/last")
  await until("the last copies", () => isThere(1) && isThere(2))
  // Two workers, each off by four at most.
  expect(Math.abs(echo(1).asked.length - 1 - 20)).toBeLessThanOrEqual(8)
  expect(Math.abs(echo(2).asked.length - 1 - 50)).toBeLessThanOrEqual(8)
})

test("whoever gets copies and does not answer, or refuses, keeps nobody from an answer", async () => {
  let isHeld = true
  echo(1).answer = () => ({ until: () => !isHeld })
  await serve({
    mirrors: [
      { backend: "two" },
      { backend: "nobody" },
      { backend: "three", numerator: 0, critical: ["numerator"] },
    ],
  })
  echo(2).asked.length = 0
  for (let n = 0; n < 5; n += 1) expect((await get("/")).status).toBe(200)
  isHeld = false
  echo(1).answer = () => ({})
  expect(echo(2).asked).toEqual([])
})

const preflight = {
  origin: "https://a.b.bar.test",
  "access-control-request-method": "PUT",
  "access-control-request-headers": "x-a, x-b",
}

function corsOf(fields: Fields) {
  return {
    cors: { origins: ["https://www.foo.test", "https://*.bar.test"], max_age: "5", gateway: true, ...fields },
  }
}

function corsHeaders(headers: Readonly<Record<string, unknown>>) {
  const own = Object.entries(headers).filter(([name]) => name.startsWith("access-control-"))
  return Object.fromEntries(own.map(([name, value]) => [name.slice("access-control-".length), value]))
}

test("a preflight is answered by what is allowed, from any subdomain of a wildcard", async () => {
  await serve(
    {},
    corsOf({
      allow_methods: "GET, PUT",
      allow_headers: "x-a, x-b",
      expose_headers: "x-c",
      credentials: true,
    }),
  )
  const answer = await get("/", preflight, "OPTIONS")
  expect(answer.status).toBe(204)
  expect(corsHeaders(answer.headers)).toEqual({
    ...{ "allow-origin": preflight.origin, "allow-credentials": "true" },
    ...{ "allow-methods": "GET, PUT", "allow-headers": "x-a, x-b", "expose-headers": "x-c", "max-age": "5" },
  })
  const simple = await get("/", { origin: preflight.origin })
  expect([simple.status, corsHeaders(simple.headers)]).toEqual([
    200,
    { "allow-origin": preflight.origin, "allow-credentials": "true", "expose-headers": "x-c" },
  ])
  expect(simple.headers.vary).toBe("Origin")
})

test("a preflight of an origin that is not allowed is answered without a word", async () => {
  await serve({}, corsOf({ allow_methods: "GET" }))
  for (const origin of [
    "https://foobar.test",
    "https://bar.test",
    "http://a.bar.test",
    "https://x@a.bar.test",
  ]) {
    const answer = await get("/", { ...preflight, origin }, "OPTIONS")
    expect([answer.status, corsHeaders(answer.headers)]).toEqual([204, {}])
  }
})

test("OPTIONS that is no preflight is the backend's", async () => {
  await serve({}, corsOf({ allow_methods: "GET" }))
  const answer = await get("/", { origin: preflight.origin }, "OPTIONS")
  expect((answer.json() as Asked).method).toBe("OPTIONS")
})

test("of what is allowed altogether the browser hears what it asks for", async () => {
  await serve({}, corsOf({ origins: ["*"], allow_methods: "*", allow_headers: "*", credentials: true }))
  const answer = await get("/", preflight, "OPTIONS")
  expect(corsHeaders(answer.headers)).toEqual({
    ...{ "allow-origin": preflight.origin, "allow-credentials": "true" },
    ...{ "allow-methods": "PUT", "allow-headers": "x-a, x-b", "max-age": "5" },
  })
  const { "access-control-request-headers": _, ...fewer } = preflight
  expect(corsHeaders((await get("/", fewer, "OPTIONS")).headers)).not.toHaveProperty("allow-headers")
  expect(corsHeaders((await get("/")).headers)).toEqual({})
})

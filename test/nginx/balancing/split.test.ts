// Routes with several backends by weight, posted.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import { backend, type Plane, startPlane } from "../../../harness/plane.ts"
import { answersOf, burst, triedBy } from "./support/burst.ts"

let plane: Plane
let backends: Backends

beforeAll(async () => {
  backends = await startBackends("one", "two", "three", "dead", "spare")
  plane = await startPlane({
    workers: 2,
    inLocation:
      "add_header x-service $service_name:$service_port always; add_header x-upstream $proxy_upstream_name always;",
    tries: 4,
  })
  const named = [...backends].filter(({ name }) => name !== "spare")
  const [dead, spare] = [backendNamed("dead"), backendNamed("spare")]
  await dead.fault("refuse")
  await plane.apply({
    backends: { set: [...named.map((one) => backend(one.name, [one])), backend("half", [dead, spare])] },
  })
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  await backends.stop()
})

function backendNamed(name: string): Backend {
  const found = backends.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no backend "${name}"`)
  return found
}

interface Weighted {
  readonly weight: number
  readonly backend: string
  readonly [field: string]: unknown
}

async function set(split: readonly Weighted[], more: object = {}, name = "split.test"): Promise<void> {
  const shares = split.map((share) => ({
    ...share,
    critical: ["status", "actions"].filter((field) => field in share),
  }))
  const route = {
    path: "/",
    match: "prefix",
    location: "location-plain",
    backend: "unused",
    split: shares,
    critical: ["split"],
    ...more,
  }
  await plane.apply({ routes: { set: [{ host: name, routes: [route] }] } })
}

async function counts(requests: number): Promise<Record<string, number>> {
  const taken = await burst(plane, [...backends], { requests, question: () => ({ host: "split.test" }) })
  return Object.fromEntries(answersOf(taken))
}

test("each backend gets its share of the requests but for a few, and one without weight none", async () => {
  await set([
    { weight: 70, backend: "one" },
    { weight: 0, backend: "three" },
    { weight: 30, backend: "two" },
  ])
  const { "200 one": one = 0, "200 two": two = 0, ...others } = await counts(1000)
  // Two workers, each off by four at most.
  expect(Math.abs(one - 700)).toBeLessThanOrEqual(8)
  expect(one + two).toBe(1000)
  expect(others).toEqual({})
})

test("where no backend has a weight the answer is 500", async () => {
  await set([
    { weight: 0, backend: "one" },
    { weight: 0, backend: "two" },
  ])
  expect((await plane.nginx.get("/", { host: "split.test" })).status).toBe(500)
})

test("a backend that may not be served has its share answered in its place", async () => {
  const before = backendNamed("two").requests
  await set([
    { weight: 1, backend: "one" },
    { weight: 1, backend: "two", status: 500 },
  ])
  const { "200 one": one = 0, ...others } = await counts(400)
  expect(Math.abs(one - 200)).toBeLessThanOrEqual(8)
  expect(Object.keys(others)).toHaveLength(1)
  expect(Object.keys(others)[0]).toMatch(/^500 /)
  expect(backendNamed("two").requests).toBe(before)
})

test("what is tried again stays with the backend that was drawn", async () => {
  await set([
    { weight: 1, backend: "half" },
    { weight: 1, backend: "dead" },
    { weight: 1, backend: "three" },
  ])
  for (let n = 0; n < 60; n += 1) {
    const answer = await plane.nginx.get("/", { host: "split.test" })
    const tried = new Set(triedBy(answer, [...backends]))
    const upstream = String(answer.headers["x-upstream"])
    const own = { half: ["dead", "spare"], dead: ["dead"], three: ["three"] }[upstream] ?? []
    expect([...tried].every((name) => own.includes(name))).toBe(true)
    expect([answer.status, answer.body]).toEqual(upstream === "dead" ? [502, answer.body] : [200, own.at(-1)])
  }
})

test("variables are those of the backend that was drawn", async () => {
  await set(
    [
      { weight: 1, backend: "one", service_name: "service-one", service_port: "80" },
      { weight: 1, backend: "two" },
    ],
    { service_name: "of-the-route", service_port: "1" },
  )
  const seen = new Set<string>()
  for (let n = 0; n < 8; n += 1) {
    const { headers } = await plane.nginx.get("/", { host: "split.test" })
    seen.add(`${headers["x-upstream"]} ${headers["x-service"]}`)
  }
  expect([...seen].sort()).toEqual(["one service-one:80", "two :"])
})

test("a backend gets its own request headers, and its responses have its own behind the route's", async () => {
  await set(
    [
      {
        weight: 1,
        backend: "one",
        actions: {
          set_request_headers: [
            { name: "X-Set", value: "by the share" },
            { name: "X-Gone", value: "" },
            { name: "Content-Length", value: "7" },
            { name: "Host", value: "other.test" },
          ],
          set_response_headers: [{ name: "X-Answer", value: "of the share" }],
          critical: ["set_request_headers"],
        },
      },
    ],
    {
      headers: [
        { name: "X-Answer", value: "of the route" },
        { name: "X-Route", value: "1" },
      ],
    },
  )
  const headers = { "x-set": ["a", "b"], "x-gone": "1", "x-kept": "1" }
  const answer = await plane.nginx.get("/", { host: "split.test", headers })
  expect(answer).toMatchObject({ body: "one", headers: { "x-answer": "of the share", "x-route": "1" } })
  const { lastHeaders } = backendNamed("one")
  expect(lastHeaders).toMatchObject({ "x-set": "by the share", "x-kept": "1" })
  expect(lastHeaders).not.toHaveProperty("x-gone")
  expect(lastHeaders).not.toHaveProperty("content-length")
  expect(lastHeaders.host).not.toBe("other.test")
})

test("a redirect comes before the draw's 500, and so does who may request the route", async () => {
  const nothing = [{ weight: 0, backend: "one" }]
  await set(nothing, { redirect: { code: 302, to: "/other" }, critical: ["split", "redirect"] })
  expect((await plane.nginx.get("/", { host: "split.test" })).status).toBe(302)
  await plane.apply({ address_lists: { set: [{ id: "here", ranges: ["127.0.0.0/8"] }] } })
  await set(nothing, { access: { deny: "here", critical: ["deny"] }, critical: ["split", "access"] })
  expect((await plane.nginx.get("/", { host: "split.test" })).status).toBe(403)
  await plane.apply({ address_lists: { set: [{ id: "there", ranges: ["10.0.0.0/8"] }] } })
  await set(nothing, { access: { deny: "there", critical: ["deny"] }, critical: ["split", "access"] })
  expect((await plane.nginx.get("/", { host: "split.test" })).status).toBe(500)
})

// A post that is wrong, too large, late or more than a zone holds changes nothing, says why, and traffic goes on.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ask } from "../../../harness/http.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { unharmed } from "./unharmed.ts"

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c")
  plane = await startPlane({ workers: 4, backendsZone: "128k" })
  await plane.apply({
    backends: { set: [backend("shop", backends)] },
    routes: { set: [host("shop.test", "shop")] },
  })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})

async function inForce(): Promise<unknown[]> {
  const paths = ["/configuration/names", "/configuration/backends", "/configuration/routes"]
  return Promise.all(paths.map(async (path) => (await plane.nginx.control("GET", path)).json()))
}

interface Refusal {
  readonly status: number
  readonly body: string
}

/** What a post was answered that must change nothing and disturb nobody. */
async function refusal(post: () => Promise<Refusal>): Promise<Refusal> {
  const before = await inForce()
  let answer: Refusal | undefined
  await unharmed(plane.nginx.port, async () => {
    answer = await post()
  })
  expect(await inForce()).toEqual(before)
  if (answer === undefined) throw new Error("There was no answer")
  return answer
}

const postText = (body: string | Uint8Array) =>
  refusal(() => plane.nginx.control("POST", "/configuration/changes", body))

test("more than the zone holds: 507, naming the zone", async () => {
  const endpoints = Array.from({ length: 200 }, (_, n) => ({
    endpoint: { address: `10.0.0.${n}`, port: "80" },
  }))
  const many = Array.from({ length: 100 }, (_, n) => backend(`many-${n}`, endpoints))
  const answer = await refusal(() => plane.post({ backends: { set: many } }))
  expect(answer).toMatchObject({ status: 507, body: expect.stringContaining("backends") })
})

test.each([
  ["text that is no JSON", '{"base": nul}'],
  [
    "a field nobody knows, and that must be understood",
    '{"base": null, "generation": "x", "routes": {"set": [{"host": "x.test", "critical": ["guard"], "guard": 1, "routes": []}]}}',
  ],
  ["a body that ends too early", '{"base": null, "generation": "x", "backends": {"set": [{"name": "sh'],
  [
    "a setting that would end a header",
    '{"base": null, "generation": "x", "backends": {"set": [{"name": "shop", "trafficShapingPolicy": {"cookie": "a\\r\\nb"}}]}}',
  ],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
])("%s: 400 with the offset and the reason", async (_name, body) => {
  const answer = await postText(body)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), offset: expect.any(Number) })
})

test("a bad record after good ones: 400, and none of them is stored", async () => {
  const set = [
    backend("good", backends),
    { name: "bad", endpoints: [{ address: "10.0.0.1", port: "99999" }] },
  ]
  const answer = await refusal(() => plane.post({ backends: { set } }))
  expect(answer.status).toBe(400)
})

test("no body: 400", async () => {
  expect((await postText("")).status).toBe(400)
})

test("20 MB: 413", async () => {
  // With `expect`, nginx refuses before the body is sent; without, it may close while the client still sends.
  const question = { method: "POST", path: "/configuration/changes", headers: { expect: "100-continue" } }
  const body = Buffer.alloc(20_000_000, " ")
  const answer = await refusal(() => ask({ socketPath: plane.nginx.site.socket }, { ...question, body }))
  expect(answer.status).toBe(413)
})

test("another base: 409 with the generation in force", async () => {
  const answer = await refusal(() => plane.post({ backends: { remove: ["shop"] } }, "somebody-elses-7"))
  expect(answer.status).toBe(409)
  expect(JSON.parse(answer.body)).toMatchObject({ generation: plane.generation })
})

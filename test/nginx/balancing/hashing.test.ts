// Keys on a real nginx: the endpoint that ingress-nginx's ring says, from every worker, through changes and failures.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { ingressRing } from "../../support/reference-ring.ts"
import { balanced } from "./support/algorithms.ts"
import { burst, type Taken, workersOf } from "./support/burst.ts"

const hostname = "shop.test"
const keys = Array.from({ length: 150 }, (_, n) => `key-${n}`)

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d", "e")
  plane = await startPlane()
  await plane.apply({ routes: { set: [host(hostname, "shop")] } })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})
beforeEach(async () => {
  for (const backend of backends) await backend.fault(undefined)
})

const address = ({ port }: Backend) => `127.0.0.1:${port}`

/** Key → the endpoint that answers, each asked once more than there are workers. */
async function owners(path = (key: string) => `/?key=${key}`): Promise<Map<string, string>> {
  const question = (n: number) => ({ host: hostname, path: path(keyAt(n)) })
  const taken: Taken[] = []
  await until("every worker to answer", async () => {
    taken.push(...(await burst(plane, backends, { requests: 5 * keys.length, question })))
    return workersOf(taken).size === 4
  })
  const owner = new Map<string, string>()
  for (const { answer, question } of taken) {
    const before = owner.get(String(question.path))
    if (before !== undefined) expect(answer.body).toBe(before)
    owner.set(String(question.path), answer.body)
  }
  return new Map(keys.map((key) => [key, owner.get(path(key)) ?? ""]))
}

const keyAt = (n: number) => keys[n % keys.length] ?? ""

/** Key → the endpoint that the book says; `place` 1 is that of a first retry. */
function expected(
  list: readonly Backend[],
  place = 0,
  text = (key: string) => key,
  weights: readonly number[] = [],
): Map<string, string> {
  const ring = ingressRing(list.map(address), weights)
  return new Map(keys.map((key) => [key, list[ring.order(text(key))[place] ?? -1]?.name ?? ""]))
}

describe("chash", () => {
  const serve = (list: readonly { readonly endpoint: object }[], more: object = {}) =>
    plane.apply({ backends: { set: [balanced("chash", "shop", list, more)] } })

  test("a key has one endpoint, that of ingress-nginx's ring, in every worker", async () => {
    await serve(backends)
    expect(await owners()).toEqual(expected(backends))
  })

  test("a weight is as many more points", async () => {
    const weights = [1, 1, 5, 1, 2]
    await serve(backends.map(({ endpoint }, at) => ({ endpoint: { ...endpoint, weight: weights[at] } })))
    expect(await owners()).toEqual(expected(backends, 0, undefined, weights))
  })

  test("from A to B to A: only the keys of the endpoint that goes move, and they come back", async () => {
    await serve(backends)
    const before = await owners()
    const left = backends.filter(({ name }) => name !== "c")
    await serve(left)
    const meanwhile = await owners()
    expect(meanwhile).toEqual(expected(left))
    for (const [key, owner] of before) if (owner !== "c") expect(meanwhile.get(key)).toBe(owner)
    await serve(backends)
    expect(await owners()).toEqual(before)
  })

  test("a key whose endpoint fails goes to the next one on the ring, always the same", async () => {
    await serve(backends)
    const first = expected(backends)
    const second = expected(backends, 1)
    await backends[1]?.fault("refuse")
    const wanted = keys.map(
      (key) => [key, first.get(key) === "b" ? second.get(key) : first.get(key)] as const,
    )
    expect([...(await owners())]).toEqual(wanted)
  })

  test.each([
    ["$request_uri$host", (key: string) => `/?key=${key}${hostname}`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: nginx's own form
    ["${arg_key}-$uri", (key: string) => `${key}-/`],
    ["v1:$arg_nothing:$arg_key", (key: string) => `v1::${key}`],
    ["literal", () => "literal"],
  ])("%s is expanded as nginx does", async (template, text) => {
    await serve(backends, { upstreamHashByConfig: { "upstream-hash-by": template } })
    expect(await owners()).toEqual(expected(backends, 0, text))
  })

  test("bytes beyond ASCII are hashed as they were sent", async () => {
    await serve(backends, { upstreamHashByConfig: { "upstream-hash-by": "$request_uri" } })
    const path = (key: string) => `/caf%C3%A9/${key}?%FF`
    expect(await owners(path)).toEqual(expected(backends, 0, path))
  })
})

describe("chashsubset", () => {
  const subsets = [
    ["a", "b"],
    ["c", "d"],
    ["e", "a"],
  ]
  const ring = ingressRing(subsets.map((_, at) => `set${at + 1}`))
  const subsetOf = (key: string) => subsets[ring.find(key)] ?? []

  const ask = () =>
    burst(plane, backends, {
      requests: 6 * keys.length,
      question: (n) => ({ host: hostname, path: `/?key=${keyAt(n)}` }),
    })
  const keyOf = (path = "") => path.slice("/?key=".length)

  beforeEach(async () => {
    await plane.apply({ backends: { set: [balanced("chashsubset", "shop", backends)] } })
  })

  test("a key has one subset, and each endpoint of it serves", async () => {
    const taken = await ask()
    const wrong = taken.filter(
      ({ question, answer }) => !subsetOf(keyOf(question.path)).includes(answer.body),
    )
    expect(wrong).toEqual([])
    for (const subset of subsets) {
      const served = taken.filter(({ question }) => subsetOf(keyOf(question.path)) === subset)
      expect(new Set(served.map(({ answer }) => answer.body))).toEqual(new Set(subset))
    }
  })

  test("one endpoint that fails: its subset's other one serves", async () => {
    await backends[2]?.fault("refuse")
    const taken = await ask()
    const ofSubset = taken.filter(({ question }) => subsetOf(keyOf(question.path)).includes("c"))
    expect(ofSubset.some(({ tried }) => tried[0] === "c")).toBe(true)
    expect(new Set(ofSubset.map(({ answer }) => answer.body))).toEqual(new Set(["d"]))
  })

  test("a whole subset that fails: the others serve its keys", async () => {
    await backends[2]?.fault("refuse")
    await backends[3]?.fault("refuse")
    const taken = await ask()
    expect(taken.filter(({ answer }) => answer.status !== 200)).toEqual([])
    const ofSubset = taken.filter(({ question }) => subsetOf(keyOf(question.path)).includes("c"))
    expect(new Set(ofSubset.map(({ answer }) => answer.body))).toEqual(new Set(["a", "b", "e"]))
  })
})

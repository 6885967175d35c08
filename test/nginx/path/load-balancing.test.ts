// How endpoints are chosen, on a real nginx with four workers, from YAML to answers. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, service } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const names = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9"]
const [first = "", second = ""] = names
const algorithms = ["round_robin", "ewma", "least_conn", "p2c"]

let site: Site
beforeAll(async () => {
  site = await Site.start(names)
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(async () => {
  for (const backend of site.backends) await backend.fault(undefined)
})

const web = (annotations: Readonly<Record<string, string>> = {}): Json =>
  ingress("demo/web", "foo.test/ → web:80", annotations)

/** What nginx was posted. */
async function posted(): Promise<Json> {
  const { body } = await site.wick.control("GET", "/configuration/backends?name=demo-web-80")
  return (JSON.parse(body) as readonly Json[])[0] ?? {}
}

describe.each(algorithms)("%s", (algorithm) => {
  test("264: all requests succeed, and the endpoints share them", async () => {
    await site.put(...site.service("web", ...names.slice(0, 4)), web({ "load-balance": algorithm }))
    const shares = await site.shares(400)
    expect(names.slice(0, 4)).toEqual(expect.arrayContaining([...shares.keys()]))
    // Of endpoints that it has found slower ewma may pass over one for good, but two are always compared.
    if (algorithm === "ewma") expect(shares.size).toBeGreaterThan(1)
    else for (const name of names.slice(0, 4)) expect(shares.get(name)).toBeGreaterThan(20)
  })

  test("274: an endpoint that refuses connections costs no request", async () => {
    await site.backend(first).fault("refuse")
    await site.put(...site.service("web", first, second), web({ "load-balance": algorithm }))
    expect(await site.answering(60)).toEqual([second])
  })

  test("277: endpoints scaled from 1 to 2 to 0 to 2", async () => {
    const counts = [[first], [first, second], [], [first, second]]
    for (const endpoints of counts) {
      await site.put(...site.service("web", ...endpoints), web({ "load-balance": algorithm }))
      const wanted = endpoints.length === 0 ? ["503"] : endpoints
      // so few requests may well find that one of two is the better one each time, when the algorithm learns
      const found = await site.answering(40)
      if (algorithm === "ewma") expect(wanted).toEqual(expect.arrayContaining(found))
      else expect(found).toEqual(wanted)
    }
  })
})

describe("which algorithm", () => {
  const configured = (algorithm: string) =>
    until(`the algorithm ${algorithm}`, async () => (await posted())["load-balance"] === algorithm)

  test("266: an annotation goes over the ConfigMap, which goes over round robin", async () => {
    await site.put(...site.service("web", first, second), web())
    await configured("round_robin")
    site.configure({ "load-balance": "least_conn" })
    await configured("least_conn")
    await site.put(...site.service("web", first, second), web({ "load-balance": "ewma" }))
    expect(await posted()).toMatchObject({ "load-balance": "ewma" })
    expect(await site.answering(40)).toEqual([first, second])
    site.configure({})
  })

  test("267: an unknown name is a Problem and round robin, and the host is served", async () => {
    await site.put(...site.service("web", first, second), web({ "load-balance": "foo" }))
    expect(await posted()).toMatchObject({ "load-balance": "round_robin" })
    expect(await site.answering(40)).toEqual([first, second])
    await site.untilProblem("annotation-changed")
  })

  test("it changes under traffic without losing a request", async () => {
    await site.put(...site.service("web", ...names.slice(0, 3)), web())
    for (const annotations of [
      ...algorithms.map((name) => ({ "load-balance": name })),
      { "upstream-hash-by": "$request_uri" },
      { affinity: "cookie" },
    ]) {
      const asking = site.shares(200)
      await site.put(...site.service("web", ...names.slice(0, 3)), web(annotations))
      expect([...(await asking).keys()].filter((who) => !names.includes(who))).toEqual([])
    }
  })
})

test("272: with service-upstream the only endpoint is the Service itself", async () => {
  const third = site.backend("b2")
  const [, ...slices] = site.service("web", first, second)
  const virtual = {
    ...service("demo/web"),
    spec: { clusterIP: "127.0.0.1", ports: [{ port: third.port }] },
  }
  const rule = `foo.test/ → web:${third.port}`
  await site.put(virtual, ...slices, ingress("demo/web", rule, { "service-upstream": "true" }))
  expect(await site.answering(40)).toEqual([third.name])
  await site.put(virtual, ...slices, ingress("demo/web", rule))
  expect(await site.answering(40)).toEqual([first, second])
})

test("279: with ewma, of two endpoints one of which is 40 times slower the fast one gets clearly more", async () => {
  // Longer than what other load of the machine adds to either.
  await site.backend(first).fault(2000)
  await site.backend(second).fault(50)
  await site.put(...site.service("web", first, second), web({ "load-balance": "ewma" }))
  const shares = await site.shares(400)
  expect(shares.get(second) ?? 0).toBeGreaterThan(2 * (shares.get(first) ?? 0))
})

test("nothing of this needed a reload", () => site.expectOnlyPosts())

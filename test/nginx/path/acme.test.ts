// A certificate from an ACME server by HTTP-01, with cert-manager played by the test.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { type ClassBy, pathOf, Solver } from "../../support/cert-manager.ts"
import { ingress, type Json } from "../../support/manifests.ts"
import { Site } from "./site.ts"

const challenge = {
  host: "foo.test",
  token: "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0",
  key: "LoqX.thumb-print",
}
const forced = { "force-ssl-redirect": "true" }

let site: Site
let solver: Solver
beforeAll(async () => {
  site = await Site.start(["a"])
  solver = await Solver.start(challenge)
})
afterAll(async () => {
  await solver[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
afterEach(() => site.expectOnlyPosts())

const put = (...objects: readonly Json[]) => site.put(...site.service("a", "a"), ...objects)
const shop = (annotations: Readonly<Record<string, string>> = {}, day = 1) =>
  ingress("demo/shop", ["foo.test/ → a:80", "foo.test/.well-known → a:80"], annotations, day)

/** What the ACME server reads. */
async function ask(path = pathOf(challenge)): Promise<string> {
  const { status, body } = await site.get(path)
  return `${status} ${status === 200 ? body : ""}`.trim()
}

describe("a challenge is answered by HTTP, though the host is redirected", () => {
  test.each<ClassBy>(["ingressClassName", "annotation"])("class by %s", async (classBy) => {
    await put(shop(forced))
    expect(await ask()).toBe("308")
    const startMs = performance.now()
    await put(shop(forced), ...solver.service(), solver.ingress(classBy))
    expect(performance.now() - startMs).toBeLessThan(5000)
    expect(await ask()).toBe(`200 ${challenge.key}`)
    expect(await ask("/")).toBe("308")
    await put(shop(forced))
    expect(await ask()).toBe("308")
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ["has patterns for paths", { ...forced, "use-regex": "true" }],
    ["rewrites", { ...forced, "rewrite-target": "/x/$1", "use-regex": "true" }],
    ["is redirected elsewhere", { "permanent-redirect": "http://elsewhere.test" }],
    ["asks for credentials that nobody can check yet", { ...forced, "auth-type": "basic" }],
  ])("also if its Ingress %s", async (_, annotations) => {
    await put(shop(annotations), ...solver.service(), solver.ingress())
    expect(await ask()).toBe(`200 ${challenge.key}`)
  })

  test("also if the Ingress of the challenge is the only one of the host", async () => {
    await put(...solver.service(), solver.ingress())
    expect(await ask()).toBe(`200 ${challenge.key}`)
    expect(await ask("/")).toBe("404")
  })

  test("and by no other token", async () => {
    await put(shop(forced), ...solver.service(), solver.ingress())
    expect(await ask(`${pathOf(challenge)}x`)).toBe("308")
    expect((await site.get(pathOf(challenge), { host: "bar.test" })).status).toBe(404)
  })
})

test("edit in place: the path comes into the Ingress that is there, and goes again", async () => {
  const edited = (isEdited: boolean): Json => {
    const { spec, ...rest } = shop({ ...forced, "acme.cert-manager.io/http01-edit-in-place": "true" }) as {
      spec: { rules: { http: { paths: Json[] } }[] }
    }
    const [rule] = spec.rules
    if (isEdited) rule?.http.paths.push(solver.path())
    return { ...rest, spec }
  }
  await put(edited(false), ...solver.service())
  expect(await ask()).toBe("308")
  await put(edited(true), ...solver.service())
  expect(await ask()).toBe(`200 ${challenge.key}`)
  expect(await ask("/")).toBe("308")
  await put(edited(false))
  expect(await ask()).toBe("308")
})

test("nothing of cert-manager's is called wrong", async () => {
  await put(shop(forced), ...solver.service(), solver.ingress())
  await put(shop(forced))
  const lines = site.wick.log().split("\n")
  expect(lines.filter((line) => line.includes("cm-acme-http-solver"))).toEqual([])
})

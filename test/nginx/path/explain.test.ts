// `wick explain` against what nginx really does: for any routes and requests, who is said to serve a request serves it.
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Explanation, explain } from "../../../controller/commands/explanation.ts"
import { covers } from "../../../controller/commands/reasons.ts"
import { rehearse } from "../../../controller/nginx/explain.ts"
import { InForce } from "../../../controller/nginx/in-force.ts"
import { ingress } from "../../support/manifests.ts"
import { Site } from "./site.ts"

const names = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"]
let site: Site
let inForce: InForce
beforeAll(async () => {
  site = await Site.start(names)
  inForce = await InForce.find(site.wick.runtimeDir)
})
afterAll(async () => {
  inForce.close()
  await site[Symbol.asyncDispose]()
})

function ask(host: string, target: string): Promise<Explanation> {
  const request = { host, target, headers: {}, isHttps: false }
  return explain(request, {
    rehearse: (rehearsal) => rehearse(inForce.layout, rehearsal),
    host: (name) => inForce.host(name),
    backend: (name) => inForce.backend(name),
  })
}

const word = fc.constantFrom("a", "b", "ab")
const path = fc
  .tuple(fc.array(word, { maxLength: 3 }), fc.boolean())
  .map(([words, hasSlash]) => `/${words.join("/")}${hasSlash && words.length > 0 ? "/" : ""}`)
const host = fc.constantFrom("a.test", "b.a.test", "*.a.test", "")
const rule = fc
  .tuple(host, path, fc.boolean())
  .map(([name, at, isExact]) => `${name}${at} ${isExact ? "=" : ""}→`)
const requests = fc.array(
  fc.tuple(fc.constantFrom("a.test", "b.a.test", "x.a.test", "c.test"), path, fc.constantFrom("", "?q=/a")),
  { minLength: 12, maxLength: 12 },
)

/** What nginx answers is what was said. */
async function expectTrue(at: string, target: string): Promise<void> {
  const { outcome, taken, notTaken } = await ask(at, target)
  const { status, body, headers } = await site.get(target, { host: at })
  const place = `${at}${target}`
  expect(taken, place).toBeDefined()
  if (outcome.kind === "proxied")
    expect([status, `demo-${body}-80`], place).toEqual([200, taken?.backend?.name])
  else expect(status, place).toBe(outcome.status)
  if (outcome.kind === "redirected") {
    expect(new URL(headers.location ?? "", "http://x").pathname).toBe(
      new URL(outcome.location, "http://x").pathname,
    )
  }
  if (taken?.route.match !== "prefix") return
  for (const { route, isRival } of notTaken.filter((other) => other.route.match === "prefix")) {
    expect(covers(route.path, taken.path) && isRival, place).toBe(isRival)
    if (isRival) expect(route.path.length, place).toBeLessThanOrEqual(taken.route.path.length + 1)
  }
}

test("whatever is asked, nginx does what was said, and the reasons fit", async () => {
  const services = names.flatMap((name) => site.service(name, name))
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 3, maxLength: 10 }), requests, async (rules, asked) => {
      const owned = rules.map((text, at) => `${text} ${names[at % names.length]}:80`)
      await site.put(...services, ...owned.map((text, at) => ingress(`demo/i${at}`, text, {}, at + 1)))
      for (const [at, target, args] of asked) await expectTrue(at, `${target}${args}`)
    }),
    { numRuns: 15 },
  )
}, 120_000)

test("a request that comes by HTTPS is one", async () => {
  await site.put(...site.service("b0", "b0"), ingress("demo/i", "a.test/ → b0:80"))
  const request = { host: "a.test", target: "/x", headers: {}, isHttps: true }
  expect((await rehearse(inForce.layout, request)).outcome).toEqual({ kind: "proxied", target: "/x" })
})

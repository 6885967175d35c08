// `wick explain` against what nginx really does: for any routes and requests, who is said to serve a request serves it.
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Explanation, explain } from "../../../controller/inspect/explanation.ts"
import { InForce } from "../../../controller/inspect/in-force.ts"
import { covers } from "../../../controller/inspect/reasons.ts"
import { rehearse } from "../../../controller/inspect/rehearse.ts"
import { ingress, secret } from "../../../harness/manifests.ts"
import { basic, hashes } from "../../../harness/passwords.ts"
import { until } from "../../../harness/until.ts"
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

function ask(host: string, target: string, client?: string, headers = {}): Promise<Explanation> {
  const request = { host, target, headers, isHttps: false }
  return explain(
    request,
    {
      rehearse: (rehearsal) => rehearse(inForce.layout, rehearsal),
      host: (name) => inForce.host(name),
      backend: (name) => inForce.backend(name),
      addresses: (id) => inForce.addresses(id),
      users: (id) => inForce.users(id),
      ruleSet: async () => undefined,
      standing: async () => undefined,
    },
    client,
  )
}

const word = fc.constantFrom("a", "b", "ab")
const path = fc
  .tuple(fc.array(word, { maxLength: 3 }), fc.boolean())
  .map(([words, hasSlash]) => `/${words.join("/")}${hasSlash && words.length > 0 ? "/" : ""}`)
const pattern = fc.constantFrom("/a/(.*)", "/[ab]+$", "/A(/|$)(b)?", "/.*b")
const host = fc.constantFrom("a.test", "b.a.test", "*.a.test", "")
const plain = fc
  .tuple(host, path, fc.boolean())
  .map(([name, at, isExact]) => ({ rule: `${name}${at} ${isExact ? "=" : ""}→`, annotations: {} }))
const special = fc
  .tuple(
    host,
    fc.oneof(path, pattern),
    fc.constantFrom(
      { "use-regex": "true" },
      { "use-regex": "true", "rewrite-target": "/new/$1" },
      { "rewrite-target": "/new" },
      { "permanent-redirect": "https://else.test/moved" },
      { "app-root": "/a/b" },
    ),
  )
  .map(([name, at, annotations]) => ({ rule: `${name}${at} →`, annotations }))
const ingresses = fc.array(fc.oneof({ arbitrary: plain, weight: 2 }, special), {
  minLength: 3,
  maxLength: 10,
})
const requests = fc.array(
  fc.tuple(fc.constantFrom("a.test", "b.a.test", "x.a.test", "c.test"), path, fc.constantFrom("", "?q=/a")),
  { minLength: 12, maxLength: 12 },
)

/** What nginx answers is what was said. */
async function expectTrue(at: string, target: string): Promise<void> {
  const explanation = await ask(at, target)
  const { outcome, taken } = explanation
  const { status, body, headers } = await site.get(target, { host: at })
  const place = `${at}${target}`
  expect(taken, place).toBeDefined()
  if (outcome.kind !== "proxied") expect(status, place).toBe(outcome.status)
  if (outcome.kind === "redirected")
    expect(portless(headers.location), place).toBe(portless(outcome.location))
  if (outcome.kind === "proxied") {
    expect([status, `demo-${body}-80`], place).toEqual([200, taken?.backend?.name])
    expect(site.backend(body).lastUrl, place).toBe(outcome.target)
  }
  expectFittingReasons(explanation)
}

/** Both come by ports of their own. */
function portless(location = ""): string {
  return location.replace(/^(https?:\/\/[^/:]+):\d+/, "$1")
}

/** No prefix that would serve the path is longer than the one that was taken. */
function expectFittingReasons({ taken, notTaken }: Explanation): void {
  if (taken?.route.match !== "prefix") return
  for (const { route, isRival } of notTaken.filter((other) => other.route.match === "prefix")) {
    expect(covers(route.path, taken.path)).toBe(isRival)
    if (isRival) expect(route.path.length).toBeLessThanOrEqual(taken.route.path.length + 1)
  }
}

test("whatever is asked, nginx does what was said, and the reasons fit", async () => {
  const services = names.flatMap((name) => site.service(name, name))
  const seen = { proxied: 0, redirected: 0, answered: 0, regex: 0, exact: 0, prefix: 0 }
  await fc.assert(
    fc.asyncProperty(ingresses, requests, async (wanted, asked) => {
      const put = wanted.map(({ rule, annotations }, at) =>
        ingress(`demo/i${at}`, `${rule} ${names[at % names.length]}:80`, annotations, at + 1),
      )
      await site.put(...services, ...put)
      for (const [at, target, args] of asked) {
        await expectTrue(at, `${target}${args}`)
        const { outcome, taken } = await ask(at, target)
        seen[outcome.kind] += 1
        const match = taken?.route.match
        if (match === "regex" || match === "exact" || match === "prefix") seen[match] += 1
      }
    }),
    { numRuns: 20 },
  )
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
})

test("a request that comes by HTTPS is one", async () => {
  await site.put(...site.service("b0", "b0"), ingress("demo/i", "a.test/ → b0:80"))
  const request = { host: "a.test", target: "/x", headers: {}, isHttps: true }
  expect((await rehearse(inForce.layout, request)).outcome).toEqual({ kind: "proxied", target: "/x" })
})

test("the lists of a route, and which of them decides about a client", async () => {
  const annotations = { "allowlist-source-range": "18.0.0.0/8,::1", "denylist-source-range": "18.0.0.1" }
  await site.put(...site.service("b0", "b0"), ingress("demo/i", "a.test/ → b0:80", annotations))
  const checks = { allow: ["18.0.0.0/8", "::1/128"], deny: ["18.0.0.1/32"], satisfy: "all", missing: [] }
  expect(await ask("a.test", "/")).toMatchObject({ outcome: { kind: "proxied" }, taken: { checks } })
  for (const [client, status, because] of [
    ["18.0.0.1", 403, "18.0.0.1/32 is denied"],
    ["::ffff:18.0.0.2", undefined, "18.0.0.0/8 is allowed"],
    ["19.0.0.1", 403, "it is in no allowed network"],
    ["::1", undefined, "::1/128 is allowed"],
  ] as const) {
    const { outcome, taken } = await ask("a.test", "/", client)
    expect(taken?.checks?.client).toEqual({ address: client, ...(status && { status }), needs: [], because })
    expect(outcome).toMatchObject(status ? { kind: "answered", status } : { kind: "proxied" })
  }
})

test("a password is verified by nginx, and what the other checks say about its user", async () => {
  const users = secret("demo/staff", { auth: `alice:${hashes.plain}` })
  const byPassword = {
    "auth-type": "basic",
    "auth-secret": "staff",
    "limit-rpm": "1",
    "limit-burst-multiplier": "1",
  }
  const any = { ...byPassword, "allowlist-source-range": "18.0.0.0/8", satisfy: "any" }
  const rules = [
    ingress("demo/all", "all.test/ → b0:80", byPassword),
    ingress("demo/any", "any.test/ → b0:80", any),
  ]
  await site.put(...site.service("b0", "b0"), users, ...rules)
  for (const [host, client, password, status, because] of [
    ["all.test", undefined, "sesame", undefined, "the password of alice is right"],
    ["all.test", undefined, "wrong", 401, "that is no password of a user alice"],
    ["any.test", undefined, "sesame", undefined, "the password of alice is right"],
    ["any.test", "18.0.0.1", "wrong", undefined, "18.0.0.0/8 is allowed"],
    [
      "any.test",
      "19.0.0.1",
      "wrong",
      401,
      "it is in no allowed network; that is no password of a user alice",
    ],
  ] as const) {
    const { outcome, taken } = await ask(host, "/x", client, basic("alice", password))
    expect(taken?.checks?.client, because).toMatchObject({ needs: [], because })
    expect(outcome).toEqual(status ? { kind: "answered", status } : { kind: "proxied", target: "/x" })
  }
})

test("what nginx refuses before it looks for a route is said too", async () => {
  site.configure({ "block-user-agents": "bad" })
  const request = { host: "a.test", target: "/", headers: { "user-agent": "bad" }, isHttps: false }
  const refused = { outcome: { kind: "answered", status: 403 } }
  await until("the user agent to be refused", async () =>
    isDeepStrictEqual(await rehearse(inForce.layout, request), refused),
  )
})

test("which steps of snippets are gone through, and what they make of the request", async () => {
  await site.put(
    ...site.service("app", "b0"),
    ingress("demo/app", "steps.test/ → app:80", {
      "server-snippet":
        "if ($arg_closed) { return 403; } if ($http_x_old) { rewrite ^/old/(.*)$ /new/$1 last; }",
      "configuration-snippet": `
        set $kind "";
        if ($request_uri ~ "^/(shop|cart)/") { set $kind $1; }
        if ($kind) { rewrite ^/[^/]+/(.*)$ /$kind-$1 break; }
        if ($http_x_away) { return 302 https://away.test$uri; }`,
    }),
  )
  const steps = async (target: string, headers = {}) => {
    const { taken, outcome } = await ask("steps.test", target, undefined, headers)
    return [taken?.hostSteps, taken?.steps, outcome.kind === "proxied" ? undefined : outcome]
  }
  const through = { held: [], end: { kind: "done" } }
  expect(await steps("/")).toEqual([through, through, undefined])
  expect(await steps("/?closed=1")).toEqual([
    { held: [0], end: { kind: "return", status: 403, text: "" } },
    through,
    { kind: "answered", status: 403 },
  ])
  expect(await steps("/old/a%20b?c", { "X-Old": "1" })).toMatchObject([
    { held: [2], end: { kind: "again", target: "/new/a%20b?c" } },
    through,
    undefined,
  ])
  expect(await steps("/cart/a")).toEqual([
    through,
    { held: [1, 3], end: { kind: "stopped", target: "/cart-a" } },
    undefined,
  ])
  expect(await steps("/x", { "X-Away": "1" })).toEqual([
    through,
    { held: [5], end: { kind: "return", status: 302, text: "https://away.test/x" } },
    { kind: "redirected", status: 302, location: "https://away.test/x" },
  ])
})

// Sessions on a real nginx with four workers, from YAML to cookies. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { Question } from "../../../harness/http.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { spanOf } from "../../support/clock.ts"
import { attribute, cookieOf, cookiesOf, cookieWith } from "./cookies.ts"
import { Site } from "./site.ts"

const names = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"]
const pair = names.slice(0, 2)

let site: Site
beforeAll(async () => {
  site = await Site.start(names)
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(async () => {
  for (const backend of site.backends) await backend.fault(undefined)
})

type Annotations = Readonly<Record<string, string>>

const sticky = (
  annotations: Annotations = {},
  rules: string | readonly string[] = "foo.test/ → web:80",
): Json => ingress("demo/web", rules, { affinity: "cookie", ...annotations }, 2)
const put = (endpoints: readonly string[], ...ingresses: readonly Json[]) =>
  site.put(...site.service("web", ...endpoints), ...ingresses)

/** The cookie of a new client. */
async function issued(name = "INGRESSCOOKIE", path = "/", question: Question = {}) {
  return cookieOf(await site.get(path, question), name)
}

/** New clients, each with the backend that it met. */
async function clients(count: number, name = "INGRESSCOOKIE") {
  const answers = await Promise.all(Array.from({ length: count }, () => site.get("/")))
  return answers.map((answer) => ({ question: cookieWith(answer, name), met: answer.body }))
}

describe("the cookie", () => {
  test("242: is called INGRESSCOOKIE", async () => {
    await put(pair, sticky())
    expect(cookiesOf(await site.get("/")).map(({ name }) => name)).toEqual(["INGRESSCOOKIE"])
  })

  test("241: has another name at once when that changes", async () => {
    await put(pair, sticky({ "session-cookie-name": "sid" }))
    expect(cookiesOf(await site.get("/")).map(({ name }) => name)).toEqual(["sid"])
    await put(pair, sticky({ "session-cookie-name": "other" }))
    expect(cookiesOf(await site.get("/")).map(({ name }) => name)).toEqual(["other"])
  })

  test("244: carries the path of the rule that the request came by", async () => {
    await put(
      pair,
      sticky({}, ["foo.test/ → web:80", "foo.test/something → web:80", "foo.test/somewhereelse → web:80"]),
    )
    expect(attribute(await issued(undefined, "/something/x"), "Path")).toBe("/something")
    expect(attribute(await issued(undefined, "/somewhereelse"), "Path")).toBe("/somewhereelse")
    expect(attribute(await issued(), "Path")).toBe("/")
  })

  test("246: has a domain when one is given", async () => {
    await put(pair, sticky({ "session-cookie-domain": "foo.bar" }))
    expect(attribute(await issued(), "Domain")).toBe("foo.bar")
    await put(pair, sticky())
    expect(attribute(await issued(), "Domain")).toBeUndefined()
  })

  test("247: has the path that is given", async () => {
    await put(pair, sticky({ "session-cookie-path": "/foo/bar" }))
    expect(attribute(await issued(), "Path")).toBe("/foo/bar")
  })

  test("249: is issued where the Ingress asks for it, though the backend is shared", async () => {
    const plain = ingress("demo/plain", "foo.test/foo → web:80", {}, 1)
    await put(pair, plain, sticky({}, "foo.test/foo/bar → web:80"))
    expect(cookiesOf(await site.get("/foo"))).toEqual([])
    expect(cookieOf(await site.get("/foo/bar"), "INGRESSCOOKIE")).toBeDefined()
  })

  test("is issued on wildcard hosts and on every other host", async () => {
    await put(pair, sticky({}, ["*.bar.test/ → web:80", "/ → web:80"]))
    expect(await issued(undefined, "/", { host: "any.bar.test" })).toBeDefined()
    expect(await issued(undefined, "/", { host: "unknown.test" })).toBeDefined()
  })

  test("251: is secure on plain HTTP only when that is asked for", async () => {
    await put(pair, sticky({ "session-cookie-secure": "true" }))
    expect(attribute(await issued(), "Secure")).toBe("")
    await put(pair, sticky({ "session-cookie-secure": "false" }))
    expect(attribute(await issued(), "Secure")).toBeUndefined()
  })

  test("261: has its attributes in this order", async () => {
    const all = {
      "session-cookie-expires": "172800",
      "session-cookie-max-age": "172800",
      "session-cookie-domain": "foo.test",
      "session-cookie-secure": "true",
      "session-cookie-samesite": "Lax",
    }
    await put(pair, sticky(all))
    let cookie: Awaited<ReturnType<typeof issued>>
    const span = await spanOf(async () => {
      cookie = await issued()
    })
    const attributes = cookie?.attributes.map((text) => text.split("=")[0])
    expect(attributes).toEqual(["Expires", "Max-Age", "Domain", "Path", "Secure", "HttpOnly", "SameSite"])
    expect(attribute(cookie, "Max-Age")).toBe("172800")
    const expires = attribute(cookie, "Expires") ?? ""
    expect(expires).toMatch(/^[A-Z][a-z]{2}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/)
    span.includes(Date.parse(expires.replaceAll("-", " ")) - 172_800_000)
  })

  test("257: leaves SameSite=None to browsers that understand it", async () => {
    const conditional = {
      "session-cookie-conditional-samesite-none": "true",
      "session-cookie-samesite": "None",
    }
    await put(pair, sticky(conditional))
    const of = async (version: number) => {
      const agent = `Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0 Safari/537.36`
      return attribute(await issued(undefined, "/", { headers: { "user-agent": agent } }), "SameSite")
    }
    expect(await of(51)).toBeUndefined()
    expect(await of(90)).toBe("None")
  })

  test("262: has SameSite in its usual spelling only", async () => {
    await put(pair, sticky({ "session-cookie-samesite": "strict" }))
    expect(attribute(await issued(), "SameSite")).toBeUndefined()
    await put(pair, sticky({ "session-cookie-samesite": "Strict" }))
    expect(attribute(await issued(), "SameSite")).toBe("Strict")
  })
})

describe.each(["balanced", "persistent"])("%s sessions", (mode) => {
  const annotations = { "affinity-mode": mode }

  test("252: the same endpoint as long as the cookie comes back, and no other cookie", async () => {
    await put(names, sticky(annotations))
    for (const { question, met } of await clients(12)) {
      expect(await site.answering(12, question)).toEqual([met])
      expect(cookiesOf(await site.get("/", question))).toEqual([])
    }
  })

  test("254: what more endpoints do to them", async () => {
    await put(pair, sticky(annotations))
    const before = await clients(40)
    await put(names, sticky(annotations))
    const now = await Promise.all(before.map(({ question }) => site.get("/", question)))
    const moved = now.filter(({ body }, at) => body !== before[at]?.met)
    expect(now.filter(({ status }) => status !== 200)).toEqual([])
    if (mode === "persistent") expect(moved).toEqual([])
    // Most would move: 40 that all stay are one in 10^25.
    else expect(moved.length).toBeGreaterThan(0)
  })

  test("256: with change-on-failure a client of a dead endpoint gets another one and a new cookie", async () => {
    await put(pair, sticky({ ...annotations, "session-cookie-change-on-failure": "true" }))
    const [client = { question: {}, met: "" }] = await clients(1)
    await site.backend(client.met).fault("refuse")
    const answer = await site.get("/", client.question)
    expect(answer.status).toBe(200)
    expect(answer.body).not.toBe(client.met)
    expect(await site.answering(8, cookieWith(answer, "INGRESSCOOKIE"))).toEqual([answer.body])
  })

  test("256: without it the client gets an error until the endpoints are others", async () => {
    await put(pair, sticky(annotations))
    const [client = { question: {}, met: "" }] = await clients(1)
    await site.backend(client.met).fault("refuse")
    const answer = await site.get("/", client.question)
    expect(answer.status).toBe(502)
    expect(cookiesOf(answer)).toEqual([])
    const left = pair.filter((name) => name !== client.met)
    await put(left, sticky(annotations))
    expect(await site.answering(8, client.question)).toEqual(left)
  })

  test("259: with change-on-failure new clients never stay with a dead endpoint", async () => {
    await put(pair, sticky({ ...annotations, "session-cookie-change-on-failure": "true" }))
    await site.backend("b0").fault("refuse")
    for (const { met } of await clients(20)) expect(met).toBe("b1")
  })
})

test("nothing of this needed a reload", () => site.expectOnlyPosts())

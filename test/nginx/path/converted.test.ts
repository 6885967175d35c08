// What `wick convert --for-wick` prints, in the place of the Ingresses that it was made of: the same answers.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Question } from "../../../harness/http.ts"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { conversionOf, gatewayClass } from "../../support/conversions.ts"
import { Site } from "./site.ts"

const gateway = { namespace: "demo", name: "edge", gatewayClass: "wick" }

let site: Site
beforeAll(async () => {
  site = await Site.start(["a", "b"])
})
afterAll(() => site[Symbol.asyncDispose]())

/** Their equivalents, which have to be there in full. */
function converted(objects: readonly Json[]): readonly Json[] {
  const conversion = conversionOf(objects, [], { gateway, isForWick: true })
  expect(conversion.remarks).toEqual([])
  return [gatewayClass, ...(conversion.objects as unknown as Json[])]
}

async function answer(question: Question & { readonly path: string }) {
  const { status, body, headers } = await site.get(question.path, question)
  const { date: _, "content-length": __, "x-request-id": ___, ...others } = headers
  const isFromBackend = body === "a" || body === "b"
  return { status, who: isFromBackend ? body : "nginx", headers: others }
}

interface Case {
  readonly rules: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly more?: readonly Json[]
  readonly questions: readonly (Question & { readonly path: string })[]
}

const passwords = secret("demo/users", { auth: "jane:$apr1$zzzzzzzz$Lr3mOBQxRiFhvH1mcAhZb1" })

const cases: Readonly<Record<string, Case>> = {
  "paths of all types": {
    rules: ["foo.test/cart → a:80", "foo.test/cart/new =→ b:80", "foo.test/ → b:80"],
    questions: ["/cart", "/cart/", "/cart/new", "/cart/new/", "/cartoon", "/"].map((path) => ({ path })),
  },
  "another path": {
    rules: ["foo.test/old → a:80"],
    annotations: { "rewrite-target": "/new" },
    questions: [{ path: "/old" }, { path: "/old/x" }, { path: "/" }],
  },
  "another path with groups": {
    rules: ["foo.test/api(/|$)(.*) ~→ a:80", "foo.test/ → b:80"],
    annotations: { "rewrite-target": "/v2/$2", "x-forwarded-prefix": "/api" },
    questions: ["/api", "/api/x", "/API/x?y=1", "/apis", "/"].map((path) => ({ path })),
  },
  "a redirect": {
    rules: ["foo.test/old → a:80"],
    annotations: { "permanent-redirect": "https://new.test/there", "permanent-redirect-code": "300" },
    questions: [{ path: "/old" }, { path: "/" }],
  },
  CORS: {
    rules: ["foo.test/ → a:80"],
    annotations: { "enable-cors": "true" },
    questions: [{ path: "/" }, { path: "/", headers: { origin: "https://page.test" } }],
  },
  "a list of addresses": {
    rules: ["foo.test/ → a:80"],
    annotations: { "whitelist-source-range": "192.0.2.0/24" },
    questions: [{ path: "/" }],
  },
  passwords: {
    rules: ["foo.test/ → a:80"],
    annotations: { "auth-type": "basic", "auth-secret": "users", "auth-realm": "Shop" },
    more: [passwords],
    questions: [{ path: "/" }, { path: "/", headers: { authorization: "Basic bm9ib2R5Og==" } }],
  },
  "headers of snippets": {
    rules: ["foo.test/ → a:80"],
    annotations: { "configuration-snippet": 'more_set_headers "X-Shop: yes";' },
    questions: [{ path: "/" }, { path: "/none" }],
  },
  "large requests": {
    rules: ["foo.test/ → a:80"],
    annotations: { "proxy-body-size": "10" },
    questions: [
      { path: "/", method: "POST", body: "0123456789" },
      { path: "/", method: "POST", body: "0123456789a" },
    ],
  },
}

describe.each(Object.entries(cases))("%s", (_, { rules, annotations, more = [], questions }) => {
  test("are as before", async () => {
    const around = [...site.service("a", "a"), ...site.service("b", "b"), ...more]
    const own = ingress("demo/foo", rules, { "ssl-redirect": "false", ...annotations })
    await site.put(own, ...around)
    const before = await Promise.all(questions.map(answer))
    await site.put(...converted([own, ...around]), ...around)
    expect(await Promise.all(questions.map(answer))).toEqual(before)
    expect(new Set(before.map(({ status }) => status))).not.toEqual(new Set([404]))
  })
})

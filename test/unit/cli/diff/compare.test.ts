import { describe, expect, test } from "vitest"
import type { Received } from "../../../../cli/diff/asking/answer.ts"
import { aspectsOf, handshakeAspects } from "../../../../cli/diff/asking/aspects.ts"
import { compare, compareTimes, median, unstableAspects } from "../../../../cli/diff/asking/compare.ts"
import { comparable } from "../../../../cli/diff/asking/header-values.ts"
import type { DiffRequest } from "../../../../cli/diff/requests/request.ts"
import { parseSide } from "../../../../cli/diff/sides.ts"

const request: DiffRequest = {
  scheme: "http",
  host: "a.test",
  target: "/",
  method: "GET",
  headers: {},
  about: "",
}
const [old, now] = [parseSide("http://10.0.0.1:8080,https://10.0.0.1:8443"), parseSide("10.0.0.2")]

function answer(
  status: number,
  headers: Readonly<Record<string, string | string[]>> = {},
  text = "",
): Received {
  const body = { sha256: text.repeat(12), bytes: text.length, isCut: false }
  const all = new Map(Object.entries(headers).map(([name, values]) => [name, [values].flat()]))
  return { kind: "received", status, headers: all, body, waitMs: 1 }
}

function differences(one: Received, other: Received, of = request) {
  return compare(aspectsOf(one, of, old), aspectsOf(other, of, now))
}

describe("two answers", () => {
  test("are alike where only what is of a moment, a request or a connection differs", () => {
    const headers = {
      "content-type": "text/html;charset=UTF-8",
      vary: "A, b",
      "set-cookie": "id=1; Path=/; Secure",
    }
    const one = answer(200, { ...headers, date: "1", "x-request-id": "1", connection: "close", expires: "1" })
    const other = answer(200, {
      expires: "2",
      "set-cookie": "id=2; secure; path=/",
      vary: "B,a",
      "content-type": "text/html; charset=utf-8",
      "keep-alive": "1",
    })
    expect(differences(one, other)).toEqual([])
  })

  test("differ in a header that is missing, a cookie's attributes, or a body", () => {
    const one = answer(200, { "set-cookie": "id=1; HttpOnly", "x-frame-options": "DENY" }, "a")
    const other = answer(200, { "set-cookie": "id=1" }, "b")
    expect(differences(one, other)).toEqual([
      { aspect: "header set-cookie", was: "id=…; httponly", now: "id=…" },
      { aspect: "header x-frame-options", was: "DENY", now: "absent" },
      { aspect: "body", was: "1 bytes, aaaaaaaaaaaa", now: "1 bytes, bbbbbbbbbbbb" },
    ])
  })

  test("another status hides everything but where it leads to", () => {
    const one = answer(301, { location: "https://a.test/" }, "a")
    expect(differences(one, answer(308, { location: "https://b.test/", a: "b" }, "b"))).toEqual([
      { aspect: "status", was: "301", now: "308" },
      { aspect: "header location", was: "https://a.test/", now: "https://b.test/" },
    ])
    expect(differences(one, answer(200))).toEqual([{ aspect: "status", was: "301", now: "200" }])
    const failed = { kind: "failed", why: "refused" } as const
    expect(compare(aspectsOf(one, request, old), aspectsOf(failed, request, now))).toEqual([
      { aspect: "answer", was: "an answer", now: "connection refused" },
    ])
  })

  test("redirects to the ports that were asked are alike, others are not", () => {
    const to = (location: string) => answer(301, { location })
    expect(differences(to("https://a.test:8443/x"), to("https://a.test:443/x"))).toEqual([])
    expect(differences(to("https://a.test:8443/x"), to("https://a.test/x"))).toEqual([])
    expect(differences(to("https://a.test:9443/x"), to("https://a.test/x"))).toHaveLength(1)
  })

  test("the length counts for HEAD, which has no body", () => {
    const [one, other] = [answer(200, { "content-length": "1" }), answer(200, { "content-length": "2" })]
    expect(differences(one, other)).toEqual([])
    expect(differences(one, other, { ...request, method: "HEAD" })).toHaveLength(1)
  })

  test("what one side does not keep to itself is not stable", () => {
    const one = aspectsOf(answer(200, { etag: "1" }), request, old)
    const other = aspectsOf(answer(200, { etag: "2" }), request, old)
    expect([...unstableAspects(one, other)]).toEqual(["header etag"])
  })
})

test("a nonce is another one each time, the rest of a challenge is not", () => {
  const challenge = (nonce: string, realm: string) =>
    comparable("www-authenticate", [`Digest realm="${realm}", nonce="${nonce}", qop="auth"`])
  expect(challenge("1", "a")).toBe(challenge("2", "a"))
  expect(challenge("1", "a")).not.toBe(challenge("1", "b"))
})

test("a Location without a path is the one of the root", () => {
  const location = (value: string) => comparable("location", [value])
  expect(location("https://a.test")).toBe(location("https://a.test/"))
  expect(location("https://a.test?x=1")).toBe(location("https://a.test/?x=1"))
  expect(location("https://a.test/b")).not.toBe(location("https://a.test/b/"))
})

describe("slower", () => {
  test.each([
    [10, 300, { aspect: "time", was: "10 ms and more", now: "100 ms and more" }],
    [2, 2500, { aspect: "time", was: "less than 10 ms", now: "1000 ms and more" }],
    [1, 100, undefined],
    [100, 900, undefined],
    [900, 1, undefined],
  ])("%d ms, then %d ms", (before, after, found) => expect(compareTimes(before, after)).toEqual(found))

  test("one outlier is noise", () => expect(median([1, 2000, 2])).toBe(2))
})

test("handshakes are compared by certificate, names, expiry, trust, version and protocol", () => {
  const certificate = {
    fingerprint: "ab".repeat(32),
    names: ["a.test"],
    issuer: "CA",
    notAfter: "2027-01-01",
  }
  const one = { kind: "shown", certificate, version: "TLSv1.3", protocol: "h2" } as const
  const other = {
    ...one,
    certificate: { ...certificate, fingerprint: "cd".repeat(32), notAfter: "2028-01-01" },
    untrusted: "DEPTH_ZERO_SELF_SIGNED_CERT",
    protocol: "",
  }
  expect(compare(handshakeAspects(one), handshakeAspects(other))).toEqual([
    { aspect: "certificate", was: "abababababababab of CA", now: "cdcdcdcdcdcdcdcd of CA" },
    { aspect: "expiry", was: "2027-01-01", now: "2028-01-01" },
    { aspect: "trust", was: "trusted", now: "not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)" },
    { aspect: "protocol", was: "h2", now: "none" },
  ])
})

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Bounds, chosen, sharesOf } from "../../../../cli/diff/requests/chosen.ts"
import type { DiffRequest } from "../../../../cli/diff/requests/request.ts"

function request(host: string, target = "/", more: Partial<DiffRequest> = {}): DiffRequest {
  return { scheme: "http", host, target, method: "GET", headers: {}, about: "a test", ...more }
}

const bounds: Bounds = {
  maxRequests: 1000,
  allowsUnsafe: false,
  knowsUser: () => false,
  schemes: new Set(["http", "https"]),
}

describe("which requests are sent", () => {
  test("each once, whatever it is about", () => {
    const all = [request("a.test"), request("a.test", "/", { about: "something else" })]
    expect(chosen(all, bounds)).toEqual({ requests: [all[0]], leftOut: [] })
  })

  test("none that changes something, unless that is wanted", () => {
    const post = request("a.test", "/", { method: "POST" })
    expect(chosen([post], bounds)).toMatchObject({ requests: [], leftOut: [{ count: 1 }] })
    expect(chosen([post], { ...bounds, allowsUnsafe: true }).requests).toEqual([post])
  })

  test.each([
    ["a host with a blank", request("a test")],
    ["a path with a line break", request("a.test", "/\r\nHost: b.test")],
    ["a path without a slash", request("a.test", "cart")],
    ["a header with a line break", request("a.test", "/", { headers: { a: "b\nc: d" } })],
    ["a tunnel", request("a.test", "/", { method: "CONNECT" })],
    ["a method of another kind", request("a.test", "/", { method: "get" })],
  ])("not %s", (_, bad) => {
    const { requests, leftOut } = chosen([bad], { ...bounds, allowsUnsafe: true })
    expect(requests).toEqual([])
    expect(leftOut).toEqual([{ why: expect.stringContaining("cannot be sent"), count: 1 }])
  })

  test("with credentials only where some are known, by a scheme only where both have it", () => {
    const secret = request("a.test", "/", { hasCredentials: true })
    const tls = request("a.test", "/", { scheme: "https" })
    expect(chosen([secret, tls], { ...bounds, schemes: new Set(["http"]) }).requests).toEqual([])
    expect(chosen([secret], { ...bounds, knowsUser: (host) => host === "a.test" }).requests).toEqual([secret])
  })

  test("the same ones each time, and as many of a small host as of a large one", () => {
    const large = Array.from({ length: 500 }, (_, at) => request("large.test", `/${at}`))
    const small = Array.from({ length: 4 }, (_, at) => request("small.test", `/${at}`))
    const { requests, leftOut } = chosen([...large, ...small], { ...bounds, maxRequests: 10 })
    expect(requests.filter(({ host }) => host === "small.test")).toEqual(small)
    expect(requests.filter(({ host }) => host === "large.test").map(({ target }) => target)).toEqual([
      "/0",
      "/83",
      "/166",
      "/250",
      "/333",
      "/416",
    ])
    expect(leftOut).toEqual([{ why: expect.stringContaining("--max-requests"), count: 494 }])
  })

  test("shares add up, none is larger than what there is, and nobody who could use more has less than another but for one", () => {
    const counts = fc.array(fc.nat(50), { maxLength: 20 })
    fc.assert(
      fc.property(counts, fc.nat(300), (all, max) => {
        const shares = sharesOf(all, max)
        const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
        expect(sum(shares)).toBe(Math.min(max, sum(all)))
        const open = shares.filter((share, at) => share < (all[at] ?? 0))
        expect(shares.filter((share, at) => share > (all[at] ?? 0))).toEqual([])
        for (const share of open) expect(share + 1).toBeGreaterThanOrEqual(Math.max(...shares))
      }),
    )
  })
})

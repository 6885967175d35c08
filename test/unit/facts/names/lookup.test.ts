import { describe, expect, test } from "vitest"
import { type LookupOptions, lookup } from "../../../../controller/facts/names/lookup.ts"
import type { Query, Reply } from "../../../../controller/facts/names/query.ts"
import { candidates } from "../../../../controller/facts/names/search.ts"

const conf = { search: ["shop.svc", "svc"], ndots: 2 }

describe("candidates", () => {
  test("with few dots are sought in the search domains first", () => {
    expect(candidates("cart.test", conf)).toEqual(["cart.test.shop.svc", "cart.test.svc", "cart.test"])
  })

  test("with enough dots are tried as they stand first", () => {
    expect(candidates("a.cart.test", conf)).toEqual([
      "a.cart.test",
      "a.cart.test.shop.svc",
      "a.cart.test.svc",
    ])
  })

  test("with a dot at the end are complete", () => {
    expect(candidates("cart.", conf)).toEqual(["cart"])
  })

  test("are never longer than DNS allows", () => {
    const long = `${"a".repeat(60)}.`.repeat(4).slice(0, -1)
    expect(long).toHaveLength(243)
    expect(candidates(long, { search: ["long-domain.test", "b.test"], ndots: 1 })).toEqual([
      long,
      `${long}.b.test`,
    ])
  })
})

const found = (...addresses: readonly string[]): Reply => ({ kind: "found", addresses, ttlSeconds: 30 })
const nothing: Reply = { kind: "absent", reason: "NXDOMAIN", exists: false }
const noAddress: Reply = { kind: "absent", reason: "no address", exists: true }
const broken: Reply = { kind: "failed", reason: "SERVFAIL", isSilent: false }
const silent: Reply = { kind: "failed", reason: "timeout", isSilent: true }

/** DNS that knows these answers, by `name` for A and `name/6` for AAAA records, and what it was asked. */
function dns(replies: Readonly<Record<string, Reply>>) {
  const asked: string[] = []
  const query: Query = async (name, family) => {
    const question = family === 4 ? name : `${name}/6`
    asked.push(question)
    return replies[question] ?? (replies[`${name}/6`] ? noAddress : nothing)
  }
  const look = (name: string, options: Partial<LookupOptions> = {}) =>
    lookup(name, { query, conf, withIpv6: true, foundAs: undefined, ...options })
  return { asked, look }
}

describe("a lookup", () => {
  test("takes the first candidate that has an address", async () => {
    const { asked, look } = dns({ "cart.svc": found("10.0.0.1"), cart: found("10.0.0.2") })
    expect(await look("cart")).toMatchObject({ kind: "found", addresses: ["10.0.0.1"], foundAs: "cart.svc" })
    expect(asked).toEqual(["cart.shop.svc", "cart.svc"])
  })

  test("asks for IPv6 where there is a name without IPv4", async () => {
    const { asked, look } = dns({ "cart/6": found("2001:db8::1") })
    expect(await look("cart.")).toMatchObject({ kind: "found", addresses: ["2001:db8::1"] })
    expect(asked).toEqual(["cart", "cart/6"])
  })

  test("leaves IPv6 alone where there is IPv4, and where it is not wanted", async () => {
    const both = { cart: found("10.0.0.1"), "cart/6": found("2001:db8::1") }
    expect(await dns(both).look("cart.")).toMatchObject({ addresses: ["10.0.0.1"] })
    const { asked, look } = dns({ "cart/6": found("2001:db8::1") })
    expect(await look("cart.", { withIpv6: false })).toEqual({ kind: "absent", reason: "no address" })
    expect(asked).toEqual(["cart"])
  })

  test("says so when no candidate exists", async () => {
    expect(await dns({}).look("cart")).toEqual({ kind: "absent", reason: "NXDOMAIN" })
  })

  test("passes over a search domain whose server is broken", async () => {
    const { look } = dns({ "cart.shop.svc": broken, cart: found("10.0.0.2") })
    expect(await look("cart")).toMatchObject({ kind: "found", foundAs: "cart" })
  })

  test("does not turn a name into another when the one that had the addresses cannot be asked for", async () => {
    const { look } = dns({ "cart.shop.svc": broken, cart: found("10.0.0.2") })
    expect(await look("cart", { foundAs: "cart.shop.svc" })).toEqual({ kind: "failed", reason: "SERVFAIL" })
  })

  test("knows nothing when one candidate cannot be asked for and the others do not exist", async () => {
    expect(await dns({ "cart.svc": broken }).look("cart")).toEqual({ kind: "failed", reason: "SERVFAIL" })
  })

  test("ends when nobody answers", async () => {
    const { asked, look } = dns({ "cart.shop.svc": silent, cart: found("10.0.0.2") })
    expect(await look("cart")).toEqual({ kind: "failed", reason: "timeout" })
    expect(asked).toEqual(["cart.shop.svc"])
  })
})

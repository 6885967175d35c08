import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { addressList } from "../../../../controller/core/options/address-list.ts"

const parse = (text: string) => addressList.parse(text)
const ranges = (text: string) => {
  const parsed = parse(text)
  return parsed.kind === "value" ? parsed.value.ranges : parsed.reason
}

describe("an address list", () => {
  test("has masked networks, each once, in order, whatever way they are written", () => {
    expect(ranges("10.1.2.3/8, 10.0.0.0/8 ,192.0.2.7")).toEqual(["10.0.0.0/8", "192.0.2.7/32"])
    expect(ranges("2001:DB8:0::1/32,::")).toEqual(["2001:db8::/32", "::/128"])
    expect(ranges("0.0.0.0/0,::/0")).toEqual(["0.0.0.0/0", "::/0"])
    expect(ranges("10.0.0.255/25")).toEqual(["10.0.0.128/25"])
  })

  test("takes IPv4 addresses that are mapped into IPv6 for what they are", () => {
    expect(ranges("::ffff:10.0.0.1")).toEqual(["10.0.0.1/32"])
    expect(ranges("::ffff:10.1.1.1/104")).toEqual(["10.0.0.0/8"])
    expect(ranges("::ffff:0:0/96")).toEqual(["0.0.0.0/0"])
    expect(ranges("::ffff:0:0/95")).toEqual(["::fffe:0:0/95"])
  })

  test.each([
    "",
    " ",
    ",",
    "10.0.0.0/8,",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "010.0.0.1",
    "1.2.3.4%eth0",
    "fe80::1%eth0",
    "[::1]",
    "::1/129",
    "::/0x8",
    "all",
    "10.0.0.1; return 200",
    "10.0.0.0 - 10.0.0.9",
    `10.0.0.1/${"0".repeat(70)}8`,
  ])("is not %j", (text) => {
    expect(ranges(text)).toContain("write an IP address or a network such as 10.0.0.0/8")
  })

  test("has at most as many networks as a record takes", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => `10.${at >> 8}.${at & 255}.1`).join()
    expect(ranges(many(16_384))).toHaveLength(16_384)
    expect(ranges(many(16_385))).toBe("write at most 16384 networks")
  })

  test("has the same name whatever the order of its networks is, and another one with others", () => {
    const network = fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, bits]) => `${address}/${bits}`)
    const idOf = (networks: readonly string[]) => {
      const parsed = parse(networks.join(" , "))
      return parsed.kind === "value" ? parsed.value.id : undefined
    }
    fc.assert(
      fc.property(fc.array(network, { minLength: 1, maxLength: 9 }), network, (some, other) => {
        expect(idOf([...some].reverse())).toBe(idOf([...some, ...some]))
        const isKnown = ranges(some.join())?.includes(ranges(other)[0] ?? "")
        expect(idOf([...some, other]) === idOf(some)).toBe(isKnown)
      }),
    )
  })
})

import { BlockList } from "node:net"
import fc from "fast-check"
import { expect, test } from "vitest"
import { canonicalRange, isInRange } from "../../../controller/support/address-range.ts"

const v4 = fc.tuple(fc.constant("ipv4" as const), fc.ipV4(), fc.nat(32))
const v6 = fc.tuple(fc.constant("ipv6" as const), fc.ipV6(), fc.nat(128))

test("a network has the addresses that Node's own list of networks finds in it", () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.oneof(v4, v6), ([family, address, bits], [ofClient, client]) => {
      const range = canonicalRange(`${address}/${bits}`) ?? ""
      const [network = "", length] = range.split("/")
      // Node takes a mapped address for one of IPv6, too.
      fc.pre(family === ofClient && range.includes(":") === (family === "ipv6"))
      const list = new BlockList()
      list.addSubnet(network, Number(length), family)
      expect(isInRange(client, range)).toBe(list.check(client, family))
      expect(isInRange(network, range)).toBe(true)
      expect(canonicalRange(range)).toBe(range)
    }),
    { numRuns: 500 },
  )
})

test("families are told apart, and mapped addresses are of IPv4", () => {
  expect(isInRange("10.0.0.1", "::/0")).toBe(false)
  expect(isInRange("::1", "0.0.0.0/0")).toBe(false)
  expect(isInRange("::ffff:10.0.0.1", "10.0.0.0/8")).toBe(true)
  expect(canonicalRange("::10.0.0.1")).toBe("::a00:1/128")
  expect(isInRange("nonsense", "0.0.0.0/0")).toBe(false)
})

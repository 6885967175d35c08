import { expect, test } from "vitest"
import { judgeAddress } from "../../../controller/support/address.ts"

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["172.16.254.1", "172.16.254.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:0DB8:0:0::0001", "2001:db8::1"],
  ["fd00::1", "fd00::1"],
])("%s is used as %s", (text, address) => {
  expect(judgeAddress(text, false)).toEqual({ kind: "usable", address })
})

test.each([
  ["127.0.0.1", "loopback"],
  ["127.255.0.9", "loopback"],
  ["::1", "loopback"],
  ["0:0::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::FFFF:7f00:1", "loopback"],
  ["169.254.169.254", "link-local"],
  ["::ffff:169.254.169.254", "link-local"],
  ["fe80::1", "link-local"],
  ["febf::1", "link-local"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["::", "unspecified"],
  ["224.0.0.1", "multicast"],
  ["255.255.255.255", "reserved"],
  ["ff02::1", "multicast"],
  ["localhost", "no IP address"],
  ["10.0.0.1;", "no IP address"],
  ["010.0.0.1", "no IP address"],
  ["10.1", "no IP address"],
  ["2130706433", "no IP address"],
  ["[2001:db8::1]", "no IP address"],
  ["2001:db8::1%eth0", "no IP address"],
  ["10.0.0.1\n", "no IP address"],
  ["", "no IP address"],
])("%j is refused: %s", (text, reason) => {
  expect(judgeAddress(text, false)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) })
})

test("loopback can be allowed, and nothing else with it", () => {
  expect(["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((text) => judgeAddress(text, true).kind)).toEqual(
    Array(3).fill("usable"),
  )
  expect(["169.254.169.254", "fe80::1", "0.0.0.0"].map((text) => judgeAddress(text, true).kind)).toEqual(
    Array(3).fill("refused"),
  )
})

import { expect, test } from "vitest"
import { hostPort, judgeAddress } from "../../../controller/support/address.ts"

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["172.16.254.1", "172.16.254.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:0DB8:0:0::0001", "2001:db8::1"],
  ["fd00::1", "fd00::1"],
  ["2001:db8:7f00:1::", "2001:db8:7f00:1::"],
  ["::ffff:10.0.0.1", "::ffff:10.0.0.1"],
  ["::ffff:0:a00:1", "::ffff:0:a00:1"],
  ["64:ff9b::10.0.0.1", "64:ff9b::a00:1"],
  ["64:ff9b:1::10.0.0.1", "64:ff9b:1::a00:1"],
  ["64:ff9b:1:fffe::10.0.0.1", "64:ff9b:1:fffe::a00:1"],
  ["64:ff9b:1:a00:0:100::", "64:ff9b:1:a00:0:100::"],
  ["2002:a00:1::1", "2002:a00:1::1"],
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["2000::", "2000::"],
  ["2003::7f00:1", "2003::7f00:1"],
])("%s is used as %s", (text, address) => {
  expect(judgeAddress(text, false)).toEqual({ kind: "usable", address })
})

/** Addresses that end in an IPv4 address, each with the reason why it is refused. */
function embedding(prefix: string, form: string): [text: string, reason: string, form: string][] {
  return [
    [`${prefix}127.0.0.1`, "loopback", form],
    [`${prefix}169.254.169.254`, "link-local", form],
    [`${prefix}0.0.0.9`, "unspecified", form],
    [`${prefix}224.0.0.1`, "multicast or reserved", form],
    [`${prefix}255.255.255.255`, "multicast or reserved", form],
  ]
}

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
  ...embedding("::", "(IPv4-compatible)"),
  ...embedding("::ffff:", "(mapped)"),
  ...embedding("::ffff:0:", "(translated)"),
  ...embedding("64:ff9b::", "(NAT64)"),
  ...embedding("64:ff9b:1::", "(NAT64 in a network, /96)"),
  ...embedding("64:ff9b:1:fffe:0:1:", "(the same with another prefix)"),
  ["64:ff9b:1:7f00:0:100::", "loopback"],
  ["64:ff9b:1:a9fe:a9:fe00::", "link-local"],
  ["64:ff9b:1:a9fe:a9:fe01:203:405", "link-local"],
  ["64:ff9b:1:ffa9:fe:a9fe::", "link-local"],
  ["64:ff9b:1:ffff:7f:0:100:0", "loopback"],
  ["64:ff9b:1:ffff:a9:fea9:fe00:0", "link-local"],
  ["2002:7f00:1::1", "loopback"],
  ["2002:a9fe:a9fe::", "link-local"],
  ["2002::1", "unspecified"],
  ["2002:e000:1::1", "multicast"],
  ["2001:0:7f00:1::f5ff:fffe", "loopback"],
  ["2001:0:4136:e378:8000:63bf:80ff:fffe", "loopback"],
  ["2001:0:4136:e378:8000:63bf:5601:5601", "link-local"],
  ["localhost", "no IP address"],
  ["10.0.0.1;", "no IP address"],
  ["010.0.0.1", "no IP address"],
  ["10.1", "no IP address"],
  ["2130706433", "no IP address"],
  ["[2001:db8::1]", "no IP address"],
  ["2001:db8::1%eth0", "no IP address"],
  ["10.0.0.1\n", "no IP address"],
  ["", "no IP address"],
])("%j is refused: %s %s", (text, reason, _ = "") => {
  expect(judgeAddress(text, false)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) })
})

test("loopback can be allowed, and nothing else with it", () => {
  expect(["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((text) => judgeAddress(text, true).kind)).toEqual(
    Array(3).fill("usable"),
  )
  expect(judgeAddress("64:ff9b::127.0.0.1", true).kind).toBe("usable")
  expect(judgeAddress("64:ff9b::169.254.169.254", true).kind).toBe("refused")
  expect(["169.254.169.254", "fe80::1", "0.0.0.0"].map((text) => judgeAddress(text, true).kind)).toEqual(
    Array(3).fill("refused"),
  )
})

test.each([
  ["10.0.0.1", "10.0.0.1:80"],
  ["2001:db8::1", "[2001:db8::1]:80"],
  ["app.test", "app.test:80"],
])("%s stands before a port as %s", (host, text) => {
  expect(hostPort(host, 80)).toBe(text)
})

import { describe, expect, test } from "vitest"
import { clientOf, requestOf } from "../../../controller/inspect/question.ts"
import { Failure } from "../../../controller/support/failure.ts"

const wrong = (what: string) => new Failure("usage", what)
const request = (operands: readonly string[], flags = {}) => requestOf({ operands, flags }, wrong)

describe("what is to be explained", () => {
  test.each([
    [["http://shop.test/cart?x=1#top"], "shop.test", "/cart?x=1", false],
    [["https://Shop.test:8443"], "Shop.test:8443", "/", true],
    [["HTTPS://shop.test?x"], "shop.test", "/?x", true],
    [["shop.test/a//b/../c"], "shop.test", "/a//b/../c", false],
    [["shop.test"], "shop.test", "/", false],
    [["shop.test", "/x"], "shop.test", "/x", false],
    [["[::1]:80/x"], "[::1]:80", "/x", false],
  ])("%j", (operands, host, target, isHttps) => {
    expect(request(operands)).toEqual({ host, target, isHttps, headers: {} })
  })

  test("flags", () => {
    const flags = { header: ["HOST: other.test", "X-A:  b: c"], https: [true] as const }
    expect(request(["shop.test"], flags)).toEqual({
      host: "other.test",
      target: "/",
      isHttps: true,
      headers: { "x-a": "b: c" },
    })
  })

  test.each([
    [[], "What is to be explained is missing"],
    [["ftp://shop.test/"], 'Cannot read "ftp://shop.test/" as a URL'],
    [["/cart"], 'Cannot read "/cart" as a URL'],
    [["http://shop.test/", "/x"], "A URL and a path are one too many"],
    [["shop.test", "x"], 'Path "x" does not start with a slash'],
  ])("%j is refused", (operands, sentence) => {
    expect(() => request(operands)).toThrow(sentence)
  })

  test("a header without a colon is refused", () => {
    expect(() => request(["shop.test"], { header: ["X-A"] })).toThrow('Cannot read header "X-A"')
  })
})

test("a client is an address", () => {
  expect(clientOf({ flags: { client: ["10.0.0.1", "::1"] } }, wrong)).toBe("::1")
  expect(clientOf({ flags: {} }, wrong)).toBeUndefined()
  for (const client of ["", "10.0.0.0/8", "fe80::1%eth0", "shop.test"])
    expect(() => clientOf({ flags: { client: [client] } }, wrong)).toThrow("write an IP address")
})

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  address,
  addresses,
  boolean,
  controllerName,
  durationMs,
  float,
  integer,
  ipAddresses,
  list,
  type Parser,
  portRange,
  sizeBytes,
} from "../../../../controller/core/options/parser.ts"

/** The value, or undefined when it is refused. */
function value<T>(parse: Parser<T>, text: string): T | undefined {
  const parsed = parse(text)
  return parsed.kind === "value" ? parsed.value : undefined
}

const anyInteger = integer(-(2 ** 53), 2 ** 53)

describe("integers are those of Go's strconv.ParseInt with base 0", () => {
  test.each([
    ["0", 0],
    ["-0", 0],
    ["42", 42],
    ["+42", 42],
    ["-42", -42],
    ["0x2A", 42],
    ["0o52", 42],
    ["052", 42],
    ["0b101010", 42],
    ["1_000", 1000],
  ])("%s", (text, expected) => {
    expect(value(anyInteger, text)).toBe(expected)
  })

  test.each([
    "",
    " 1",
    "1 ",
    "1.0",
    "1e3",
    "0x",
    "0b",
    "0b2",
    "09",
    "1__0",
    "1_",
    "-",
    "٤",
    "1\n",
  ])("%j is none", (text) => {
    expect(value(anyInteger, text)).toBeUndefined()
  })

  test("what is printed is read back", () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (number) => value(anyInteger, String(number)) === number))
  })
})

describe("durations are those of Go's time.ParseDuration", () => {
  test.each([
    ["0", 0],
    ["300ms", 300],
    ["1.5s", 1500],
    [".5s", 500],
    ["1h30m", 5_400_000],
    ["-1m", -60_000],
    ["2us", 0.002],
    ["2µs", 0.002],
    ["2μs", 0.002],
  ])("%s", (text, ms) => {
    expect(value(durationMs, text)).toBeCloseTo(ms, 9)
  })

  test.each(["", "1", "s", "1 s", "1d", "1s ", "1.s.", "--1s", "1e3s"])("%j is none", (text) => {
    expect(value(durationMs, text)).toBeUndefined()
  })
})

test("truth is that of Go's strconv.ParseBool", () => {
  expect(["1", "t", "T", "true", "TRUE", "True"].map((text) => value(boolean, text))).not.toContain(false)
  expect(["0", "f", "F", "false", "FALSE", "False"].map((text) => value(boolean, text))).not.toContain(true)
  expect(["", "yes", "on", "tRUE", " true"].map((text) => value(boolean, text))).toEqual(
    Array(5).fill(undefined),
  )
})

test("numbers", () => {
  expect(["1", "-1.5", "1e+06", ".5"].map((text) => value(float(), text))).toEqual([1, -1.5, 1e6, 0.5])
  expect(["", "Inf", "NaN", "0x1p-2", "1,5"].map((text) => value(float(), text))).toEqual(
    Array(5).fill(undefined),
  )
})

test("sizes are nginx's", () => {
  expect(["0", "512", "8k", "8K", "1m", "2G"].map((text) => value(sizeBytes, text))).toEqual([
    0,
    512,
    8192,
    8192,
    1024 ** 2,
    2 * 1024 ** 3,
  ])
  expect(
    ["", "m", "1 m", "-1", "1.5m", "1t", "9007199254740993"].map((text) => value(sizeBytes, text)),
  ).toEqual(Array(7).fill(undefined))
})

test("addresses are IP addresses and names as a status may have them", () => {
  expect(value(addresses, "192.0.2.1, LB.Test.,2001:DB8::1,,localhost")).toEqual([
    "192.0.2.1",
    "lb.test",
    "2001:DB8::1",
    "localhost",
  ])
  expect(value(addresses, "")).toEqual([])
  for (const text of ["a_b.test", "*.test", "http://lb.test", "[::1]", "192.0.2.1:80", "a b"])
    expect(addresses(text).kind).toBe("refused")
})

test("IP addresses of their own are each there once, in canonical spelling", () => {
  expect(value(ipAddresses, "192.0.2.1,2001:DB8:0::1, 192.0.2.1")).toEqual(["192.0.2.1", "2001:db8::1"])
  for (const text of ["lb.test", "192.0.2.1/32", "fe80::1%eth0"])
    expect(ipAddresses(text).kind, text).toBe("refused")
})

test("ranges of ports are two unprivileged ones in order", () => {
  expect(value(portRange, "20000-24999")).toEqual({ first: 20_000, last: 24_999 })
  expect(value(portRange, "2000-2000")).toEqual({ first: 2000, last: 2000 })
  for (const text of ["", "20000", "24999-20000", "80-90", "60000-70000", "20000 - 24999"])
    expect(portRange(text).kind, text).toBe("refused")
})

test("names of controllers of the Gateway API are a domain and a path", () => {
  expect(value(controllerName, "wick.dev/gateway")).toBe("wick.dev/gateway")
  expect(value(controllerName, "a.test/b/c~d")).toBe("a.test/b/c~d")
  for (const text of ["", "wick.dev", "wick.dev/", "/gateway", "Wick.dev/gateway", "a.test/b//c", 'a.test/"'])
    expect(controllerName(text).kind, text).toBe("refused")
})

test("lists drop blanks and empty items", () => {
  expect(value(list, " a, ,b,,c ")).toEqual(["a", "b", "c"])
  expect(value(list, "")).toEqual([])
})

test.each([
  ["", undefined],
  [":8443", { host: "", port: 8443 }],
  ["127.0.0.1:8443", { host: "127.0.0.1", port: 8443 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:8443", { host: "::1", port: 8443 }],
])("%j is a place to listen at", (text, expected) => {
  expect(address(text)).toEqual({ kind: "value", value: expected })
})

test.each([
  "8443",
  "localhost",
  ":",
  ":65536",
  "::1:8443",
  "[localhost]:1",
  "a b:1",
  "[::1]",
])("%j is none", (text) => {
  expect(address(text)).toEqual({ kind: "refused", reason: "write HOST:PORT or :PORT" })
})

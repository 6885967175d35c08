import { describe, expect, test } from "vitest"
import { cookieSeconds, count, seconds, size, time } from "../../../../controller/core/annotations/syntax.ts"
import { gated } from "./gated.ts"

describe("seconds", () => {
  test.each([
    ["1", 1000],
    ["+60", 60_000],
    ["0060", 60_000],
    ["2147483", 2_147_483_000],
  ])("%s are %i ms", (text, ms) => expect(gated(seconds.parse, text)).toBe(ms))

  test.each([
    "",
    "0",
    "-5",
    "60s",
    "50k",
    "1.5",
    "1e3",
    " 60",
    "60 ",
    "60;",
    "x60",
    "0x10",
    "٣",
  ])("%j is refused", (text) => expect(gated(seconds.parse, text)).toBeUndefined())

  test("more than nginx can count are cut, with a remark", () => {
    const most = {
      kind: "value",
      value: 2_147_483_000,
      remark: expect.stringContaining("2147483 seconds are the most"),
    }
    expect(seconds.parse("31536000")).toEqual(most)
    expect(seconds.parse("9".repeat(400))).toEqual(most)
  })

  test("the refusal of a unit shows the number to write", () => {
    expect(seconds.parse("180s")).toEqual({
      kind: "refused",
      reason: "write whole seconds without a unit, as in 180",
    })
  })
})

describe("sizes", () => {
  test.each([
    ["0", 0],
    ["1024", 1024],
    ["8k", 8192],
    ["8M", 8 * 1024 ** 2],
    ["2g", 2 * 1024 ** 3],
    ["8 m", 8 * 1024 ** 2],
    ["8388607g", 8_388_607 * 1024 ** 3],
  ])("%s is %i bytes", (text, bytes) => expect(gated(size.parse, text)).toBe(bytes))

  test.each([
    "",
    "15r",
    "8mb",
    "10b",
    "-1",
    "1.5m",
    "m",
    "8m;",
    "8388608g",
    "9".repeat(400),
    "8m\n",
    "\n8m",
  ])("%j is refused", (text) => expect(gated(size.parse, text)).toBeUndefined())
})

describe("whole numbers", () => {
  test.each([
    ["0", 0],
    ["+5", 5],
    ["007", 7],
    ["2147483647", 2_147_483_647],
  ])("%s is %i", (text, number) => expect(count.parse(text)).toEqual({ kind: "value", value: number }))

  test.each([
    ["-1", 0, "0 is the least and is used instead"],
    ["2147483648", 2_147_483_647, "2147483647 is the most and is used instead"],
    ["9".repeat(400), 2_147_483_647, "2147483647 is the most and is used instead"],
  ])("%s is cut", (text, number, remark) =>
    expect(count.parse(text)).toEqual({ kind: "value", value: number, remark }))

  test.each(["", "5%", "1.5", " 5", "0x10", "1e3"])("%j is refused", (text) =>
    expect(gated(count.parse, text)).toBeUndefined())
})

describe("seconds of a cookie", () => {
  test.each([
    ["0", 0],
    ["-0", 0],
    ["-1", -1],
    [" 172800 ", 172_800],
    ["-9999999999", -2_147_483_647],
  ])("%j are %i", (text, seconds) => expect(gated(cookieSeconds.parse, text)).toBe(seconds))

  test.each(["", "1d", "abc5", "1 000", "+5", "1.5"])("%j is refused", (text) =>
    expect(gated(cookieSeconds.parse, text)).toBeUndefined())
})

describe("times", () => {
  test.each([
    ["30s", 30_000],
    ["1ms", 1],
    ["1m30s", 90_000],
    ["1.5ms", 2],
  ])("%s is %i ms", (text, ms) => expect(gated(time.parse, text)).toBe(ms))

  test.each(["", "0", "30", "-1s", "1us", "597h", "soon"])("%j is refused", (text) =>
    expect(gated(time.parse, text)).toBeUndefined())
})

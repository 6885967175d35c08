import { expect, test } from "vitest"
import {
  agoText,
  bytesText,
  countText,
  dayText,
  msText,
  percentText,
  rateText,
  spanText,
} from "../../../../ui/page/texts.ts"

test("counts have their noun, and thousands are told apart", () => {
  expect(countText(1, "route")).toBe("1 route")
  expect(countText(12_034, "route")).toBe("12,034 routes")
  expect(countText(0, "canary", "canaries")).toBe("0 canaries")
})

test("spans have one unit, rounded down, whichever direction they lead", () => {
  expect([59_999, 60_000, 7_200_000, 86_400_000 * 3.9].map(spanText)).toEqual([
    "59 seconds",
    "1 minute",
    "2 hours",
    "3 days",
  ])
  expect(spanText(-86_400_000)).toBe("1 day")
  expect(agoText(1000, 1500)).toBe("just now")
  expect(agoText(1000, 4000)).toBe("3 seconds ago")
})

test("numbers have the digits that matter", () => {
  expect([0.2, 12.6, 1300].map(msText)).toEqual(["< 1 ms", "13 ms", "1.3 s"])
  expect([0, 0.04, 9.96, 12.4, 1234.5].map(rateText)).toEqual(["0", "< 0.1", "10", "12", "1,235"])
  expect([0, 0.0001, 0.005, 0.1, 1].map(percentText)).toEqual(["0 %", "< 0.1 %", "0.5 %", "10 %", "100 %"])
  expect([2048, 3 * 1024 ** 2].map(bytesText)).toEqual(["2 KiB", "3.0 MiB"])
})

test("days are those of UTC", () => {
  expect(dayText(Date.UTC(2027, 1, 19, 23, 59))).toBe("2027-02-19")
})

import { expect, test } from "vitest"
import { asnList, countryList } from "../../../../controller/core/options/geo-lists.ts"

test("countries are two letters, in any case and order", () => {
  expect(countryList.parse("fr, DE,FR")).toEqual({ kind: "value", value: ["DE", "FR"] })
  for (const wrong of ["", "DEU", "D", "DE,", "DE;FR", "Ä1", "DE\u0000"]) {
    expect(countryList.parse(wrong), wrong).toMatchObject({ kind: "refused" })
  }
})

test("autonomous systems are numbers, with or without AS", () => {
  expect(asnList.parse("AS64511, 3320,as3320")).toEqual({ kind: "value", value: [3320, 64_511] })
  expect(asnList.parse("4294967295")).toMatchObject({ kind: "value" })
  for (const wrong of ["", "AS0", "0", "01", "4294967296", "AS", "1.10", "-1", "1e3"]) {
    expect(asnList.parse(wrong), wrong).toMatchObject({ kind: "refused" })
  }
  const many = Array.from({ length: 1025 }, (_, at) => at + 1).join(",")
  expect(asnList.parse(many)).toEqual({ kind: "refused", reason: "write at most 1024 numbers" })
})

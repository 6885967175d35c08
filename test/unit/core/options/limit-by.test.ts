import { describe, expect, test } from "vitest"
import { limitBy, limitByVariables } from "../../../../controller/core/options/limit-by.ts"

describe("parts", () => {
  test.each([
    ["address", ["address"]],
    ["header:X-Api-Key", ["header:X-Api-Key"]],
    [" cookie:sid , path:2 ", ["cookie:sid", "path:2"]],
  ])("%s", (text, value) => {
    expect(limitBy.parse(text)).toEqual({ kind: "value", value })
  })

  test.each([
    "",
    "addresses",
    "header",
    "header:",
    "header:a b",
    "path:0",
    "path:10",
    "address,,path:1",
  ])("not %j", (text) => {
    expect(limitBy.parse(text)).toMatchObject({ kind: "refused" })
  })

  test("at most four", () => {
    expect(limitBy.parse("path:1,path:2,path:3,path:4,path:5")).toEqual({
      kind: "refused",
      reason: "write at most 4 of them",
    })
  })
})

describe("variables", () => {
  test.each([
    ["$binary_remote_addr", ["address"]],
    ["$remote_addr$http_x_api_key", ["address", "header:x-api-key"]],
    ["$cookie_SID", ["cookie:SID"]],
  ])("%s", (text, value) => {
    expect(limitByVariables.parse(text)).toEqual({ kind: "value", value })
  })

  test.each(["x", "$host", "$binary_remote_addr $host", "$http_", "$http_x-y", "$"])("not %j", (text) => {
    expect(limitByVariables.parse(text)).toMatchObject({ kind: "refused" })
  })
})

import { describe, expect, test } from "vitest"
import { findings, metadata, object, parse } from "./parsed.ts"

describe("ConfigMaps and Secrets", () => {
  test("a ConfigMap keeps its texts", () => {
    const value = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1", b: 2 } }
    expect(object(value)).toMatchObject({ data: { a: "1" } })
    expect(findings(value)).toEqual(['data["b"] type-wrong'])
  })

  test("a Secret decodes; stringData goes over data; no message repeats a value", () => {
    const data = { a: "aGk=", b: "hunter2!", c: "YQ==" }
    const value = { apiVersion: "v1", kind: "Secret", metadata, data, stringData: { c: "é", d: 12345 } }
    const secret = object(value)
    expect(secret.kind === "Secret" && secret.data).toEqual({
      a: new Uint8Array([104, 105]),
      c: new Uint8Array([0xc3, 0xa9]),
    })
    expect(JSON.stringify(parse(value))).not.toMatch(/hunter2|12345/)
    expect(findings(value)).toEqual(['data["b"] type-wrong', 'stringData["d"] type-wrong'])
  })
})

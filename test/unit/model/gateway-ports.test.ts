import { describe, expect, test } from "vitest"
import {
  allocatePorts,
  type GatewayPorts,
  gatewayServiceName,
  printGatewayPorts,
  readGatewayPorts,
  recordedAs,
} from "../../../controller/model/gateway-ports.ts"

const range = { first: 20_000, last: 20_003 }
const nobody: GatewayPorts = new Map()

function allocated(
  wanted: Readonly<Record<string, readonly number[]>>,
  recorded = nobody,
  reserved: number[] = [],
) {
  return printGatewayPorts(allocatePorts(new Map(Object.entries(wanted)), recorded, range, new Set(reserved)))
}

describe("ports of ours", () => {
  test("are given in order, around those that are used for something else", () => {
    expect(allocated({ "shop/a": [80, 443], "shop/b": [80] }, nobody, [20_001])).toEqual({
      "shop.a": "80=20000,443=20002",
      "shop.b": "80=20003",
    })
  })

  test("stay with whom has them, and what is given back is given again last", () => {
    const recorded = readGatewayPorts({ "shop.a": "80=20000,443=20001", "shop.gone": "80=20002" })
    expect(allocated({ "shop/b": [80], "shop/a": [80] }, recorded)).toEqual({
      "shop.b": "80=20003",
      "shop.a": "80=20000",
    })
    const next = readGatewayPorts({ "shop.b": "80=20003", "shop.a": "80=20000" })
    expect(allocated({ "shop/b": [80], "shop/a": [80, 443] }, next)["shop.a"]).toBe("80=20000,443=20001")
  })

  test("that are all taken leave the youngest without", () => {
    expect(allocated({ "shop/a": [1, 2, 3, 4], "shop/b": [80] })).toEqual({
      "shop.a": "1=20000,2=20001,3=20002,4=20003",
    })
  })

  test("outside of another range are given anew", () => {
    expect(allocated({ "shop/a": [80] }, readGatewayPorts({ "shop.a": "80=30000" }))).toEqual({
      "shop.a": "80=20000",
    })
  })

  test("are each one Gateway's, whatever a record says", () => {
    const read = readGatewayPorts({ "shop.a": "80=20000", "shop.b.c": "80=20000,443=20001", x: "y,=,1=" })
    expect(Object.fromEntries([...read].map(([name, own]) => [name, [...own]]))).toEqual({
      "shop/a": [[80, 20_000]],
      "shop/b.c": [[443, 20_001]],
      x: [],
    })
  })
})

test("a Gateway of a long name is recorded by a key that a ConfigMap takes, and is nobody else", () => {
  const meta = { namespace: "n".repeat(63), name: "g".repeat(253) }
  const recorded = new Map([[recordedAs(meta), new Map([[80, 20_000]])]])
  const data = printGatewayPorts(recorded)
  expect(Object.keys(data)).toEqual([expect.stringMatching(/^n{63}\._[0-9a-f]{32}$/)])
  expect(readGatewayPorts(data)).toEqual(recorded)
  expect(recordedAs({ ...meta, name: `${"g".repeat(252)}h` })).not.toBe(recordedAs(meta))
  expect(recordedAs({ namespace: "shop", name: "a.b" })).toBe("shop/a.b")
})

test("the Service of a Gateway has a name that a Service may have", () => {
  expect(gatewayServiceName("web")).toBe("web-wick")
  for (const name of ["a".repeat(59), "1st", "web.edge"])
    expect(gatewayServiceName(name)).toMatch(/^gateway-[0-9a-f]{32}-wick$/)
  expect(gatewayServiceName("a".repeat(58))).toHaveLength(63)
})

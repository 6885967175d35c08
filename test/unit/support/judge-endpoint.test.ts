import { expect, test } from "vitest"
import { judgeEndpoint } from "../../../controller/support/judge-endpoint.ts"

const ownPorts = new Set([10246, 10254])
const ownAddresses = new Set(["10.9.9.9", "2001:db8::9"])
const judge = (address: string, port: number, allowLoopback = true) =>
  judgeEndpoint(address, port, { allowLoopback, ownPorts, ownAddresses })

test("a developer's own servers are reached", () => {
  expect(judge("127.0.0.1", 8080)).toEqual({ kind: "usable", address: "127.0.0.1" })
  expect(judge("10.0.0.1", 10254)).toEqual({ kind: "usable", address: "10.0.0.1" })
})

test.each([
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "::ffff:127.0.0.1",
  "0:0:0:0:0:0:0:1",
])("what wick serves to its operator is nobody's backend: %s", (address) => {
  expect(judge(address, 10254)).toEqual({
    kind: "refused",
    reason: "port 10254 of this machine is wick's own",
  })
})

test.each(["10.9.9.9", "2001:db8:0::9"])("nor by the address of its Pod: %s", (address) => {
  expect(judge(address, 10254, false)).toMatchObject({ kind: "refused" })
  expect(judge(address, 80, false)).toMatchObject({ kind: "usable" })
})

test("where loopback is refused, the port makes no difference", () => {
  for (const port of [8080, 10254])
    expect(judge("127.0.0.1", port, false)).toEqual({
      kind: "refused",
      reason: "loopback addresses are not allowed",
    })
})

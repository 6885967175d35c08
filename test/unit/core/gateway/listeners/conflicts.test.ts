import { expect, test } from "vitest"
import type { AttachableListener } from "../../../../../controller/core/gateway/listeners/attachable.ts"
import { withConflicts } from "../../../../../controller/core/gateway/listeners/conflicts.ts"

const owner = (name: string) => ({ kind: "ListenerSet", meta: { namespace: "edge", name } })
const [gateway, first, second] = ["gateway", "first", "second"].map(owner)

/** @param text protocol, port and hostname */
function listener(of: typeof gateway, text: string, refused = false): AttachableListener {
  const [protocol, port, hostname = ""] = text.split(" ")
  const spec = { name: text, protocol, port: Number(port), hostname }
  const listener = { owner: of, spec, field: "spec.listeners[0]", ...(refused && { refused: {} }) }
  return listener as unknown as AttachableListener
}

const reasons = (...all: readonly AttachableListener[]) =>
  withConflicts(all).map(({ conflict }) => conflict?.reason)

test("an object's listeners that have the same traffic are all in conflict", () => {
  expect(reasons(listener(gateway, "HTTP 80"), listener(gateway, "HTTP 80 a.test"))).toEqual([
    undefined,
    undefined,
  ])
  expect(reasons(listener(gateway, "HTTP 80 a.test"), listener(gateway, "HTTP 80 a.test"))).toEqual([
    "HostnameConflict",
    "HostnameConflict",
  ])
  expect(
    reasons(listener(gateway, "HTTP 80"), listener(gateway, "TCP 80"), listener(gateway, "UDP 80")),
  ).toEqual(["ProtocolConflict", "ProtocolConflict", undefined])
})

test("those of the Gateway come before those of a ListenerSet, and those of an older one before those of a younger one", () => {
  const own = listener(gateway, "HTTP 80 a.test")
  const set = listener(first, "HTTP 80 b.test")
  expect(reasons(own, listener(first, "HTTP 80 a.test"), set, listener(second, "TCP 80"))).toEqual([
    undefined,
    "HostnameConflict",
    undefined,
    "ProtocolConflict",
  ])
})

test("what is in conflict with somebody else's listener is in nobody's way in its own object", () => {
  expect(
    reasons(
      listener(gateway, "HTTP 80 a.test"),
      listener(first, "HTTP 80 b.test"),
      listener(first, "TCP 80"),
    ),
  ).toEqual([undefined, undefined, "ProtocolConflict"])
})

test("nor is a listener that is refused for another reason", () => {
  expect(reasons(listener(gateway, "HTTP 80", true), listener(gateway, "TCP 80"))).toEqual([
    undefined,
    undefined,
  ])
})

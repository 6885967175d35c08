import { describe, expect, test, vi } from "vitest"
import { manifestProvider } from "../../../../controller/input/manifests/manifest-provider.ts"

function logged() {
  const log = { info: vi.fn(), warn: vi.fn() }
  return { log, provider: manifestProvider("/nowhere", log) }
}

describe("what would be written to a cluster is logged", () => {
  test.each([
    ["Warning", "warn"],
    ["Normal", "info"],
  ] as const)("a %s Event names object, reason and message", (type, level) => {
    const { log, provider } = logged()
    const object = { kind: "IngressClass", namespace: "", name: "nginx", uid: "" }
    provider.events.write({ object, type, reason: "RELOAD", message: "x" })
    const fields = {
      object: { kind: "IngressClass", namespace: "", name: "nginx" },
      reason: "RELOAD",
      detail: "x",
    }
    expect(log[level].mock.calls).toEqual([[fields, "Event"]])
  })

  test("a status names Ingress and addresses, and is what it says now", async () => {
    const { log, provider } = logged()
    const statuses = provider.statuses.Ingress
    const addresses = [
      { ip: "192.0.2.1", hostname: "" },
      { ip: "", hostname: "lb.test" },
    ]
    await statuses.write("shop/cart", addresses, new AbortController().signal)
    const fields = {
      object: { kind: "Ingress", namespace: "shop", name: "cart" },
      addresses: ["192.0.2.1", "lb.test"],
    }
    expect(log.info.mock.calls).toEqual([[fields, "Status"]])
    expect([statuses.current("shop/cart"), statuses.current("shop/other")]).toEqual([addresses, []])
  })
})

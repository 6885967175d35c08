import { describe, expect, test } from "vitest"
import type { Json } from "../../../../harness/manifests.ts"
import { remove, set, storeOf } from "./stores.ts"

describe("the zone of this controller", () => {
  const pod = (name: string, nodeName: string): Json => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "ingress", name },
    spec: { nodeName },
  })
  const node = (name: string, zone: string): Json => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "topology.kubernetes.io/zone": zone } },
  })
  const on = { enableTopologyAwareRouting: true }

  test("is the label of the Node that its own Pod names, whatever came first", () => {
    const objects = [pod("other-0", "b"), node("a", "zone-a"), node("b", "zone-b"), pod("wick-0", "a")]
    expect(storeOf(objects, on).snapshot().zone).toBe("zone-a")
    expect(storeOf(objects.reverse(), on).snapshot().zone).toBe("zone-a")
  })

  test("is not known without the flag, the Pod or the Node", () => {
    const own = pod("wick-0", "a")
    expect(storeOf([own, node("a", "zone-a")]).snapshot().zone).toBeUndefined()
    expect(storeOf([node("a", "zone-a"), pod("other-0", "a")], on).snapshot().zone).toBeUndefined()
    expect(storeOf([own, node("b", "zone-b")], on).snapshot().zone).toBeUndefined()
  })

  test("is a reason for a pass when it changes, and nothing else about Pods and Nodes is", () => {
    const store = storeOf([pod("wick-0", "a")], on)
    expect(store.apply([set(node("b", "zone-b"))])).toBe(false)
    expect(store.apply([set(node("a", "zone-a"))])).toBe(true)
    expect(store.apply([set(pod("other-0", "b")), remove(pod("other-0", "b"))])).toBe(false)
    expect(store.apply([set(pod("wick-0", "b"))])).toBe(true)
    expect(store.snapshot().zone).toBe("zone-b")
    expect(store.apply([remove(pod("wick-0", "b"))])).toBe(true)
    expect(store.snapshot().zone).toBeUndefined()
  })

  test("is one thing; all Pods of its namespace and all Nodes are in the snapshot, whatever the flags", () => {
    const replicas = [pod("wick-0", "a"), pod("wick-1", "b")]
    const elsewhere = { ...pod("cart-0", "a"), metadata: { namespace: "shop", name: "cart-0" } }
    const store = storeOf([...replicas, elsewhere, node("a", "zone-a")], { watchNamespace: "shop" })
    const before = store.snapshot()
    expect([...before.pods.keys()]).toEqual(["ingress/wick-0", "ingress/wick-1"])
    expect([...before.nodes.keys()]).toEqual(["a"])
    expect(store.apply([remove(pod("wick-1", "b"))])).toBe(false)
    expect([...store.snapshot().pods.keys()]).toEqual(["ingress/wick-0"])
    expect(store.snapshot().nodes).toBe(before.nodes)
    expect(before.pods.size).toBe(2)
  })
})

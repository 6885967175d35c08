// What ten thousand objects of a kind cost in memory, kept by the store as the API server sends them. Writes bench/results/objects.md.

import type { Change } from "../controller/input/provider/source.ts"
import type { Store } from "../controller/input/store/store.ts"
import { parseObject } from "../controller/model/objects/parse.ts"
import { ingressClass } from "../harness/manifests.ts"
import { write } from "../harness/report.ts"
import { optionsOf, storeWith } from "../harness/translation.ts"
import { memoryBytes } from "./support/memory.ts"
import { ingress, type Served, service, slice } from "./support/served.ts"

const count = 10_000

const kinds: readonly (readonly [string, Served])[] = [
  ["Ingress: one host, two paths, TLS, four annotations", ingress],
  ["Service: one port", service],
  ["EndpointSlice: 1 endpoint", slice(1)],
  ["EndpointSlice: 3 endpoints", slice(3)],
  ["EndpointSlice: 100 endpoints", slice(100)],
]

/** What code and hidden classes cost is not of the first kind alone. */
for (const [, served] of kinds) fill(storeWith(optionsOf([])), served, 100)

write({
  name: "objects",
  title: "What objects cost in memory",
  method: `${count} objects of one kind, each parsed from JSON as kube-apiserver sends it and given to the store, a hundred to a namespace; the maps of the store and the snapshot are in it. Heap after a collection, less that before.`,
  columns: ["kind", "JSON, bytes each", "heap, bytes each"],
  rows: kinds.map(([title, served]) => [title, JSON.stringify(served(count)).length, heapBytes(served)]),
})

function heapBytes(served: Served): number {
  const store = storeWith(optionsOf([]))
  const before = memoryBytes()
  fill(store, served, count)
  const held = { store, snapshot: store.snapshot() }
  const bytes = memoryBytes() - before
  if (held.snapshot !== undefined && held.store !== store) throw new Error("The store is gone")
  return Math.round(bytes / count)
}

function fill(store: Store, served: Served, count: number): void {
  store.apply([changeTo(JSON.stringify(ingressClass))])
  for (let at = 0; at < count; at += 1) store.apply([changeTo(JSON.stringify(served(at)))])
}

function changeTo(json: string): Change {
  const parsed = parseObject(JSON.parse(json), { origin: "", firstSeenMs: () => 0 })
  if (parsed.kind !== "object") throw new Error(JSON.stringify(parsed))
  return { kind: "set", object: parsed.object }
}

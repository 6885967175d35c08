import { expect, test } from "vitest"
import { zoneFilter } from "../../../../../controller/core/assemble/backends/zones.ts"
import type { SliceEndpoint } from "../../../../../controller/model/objects/endpoint-slice.ts"
import type { Service } from "../../../../../controller/model/objects/service.ts"
import { service, slice } from "../../../../../harness/objects.ts"

const plain = service("shop/cart", "80")
const preferring = (trafficDistribution: string): Service => ({ ...plain, trafficDistribution })
const annotated = (mode: string): Service => ({
  ...plain,
  meta: { ...plain.meta, annotations: { "service.kubernetes.io/topology-mode": mode } },
})

/** An endpoint that is meant for these zones. */
function endpoint(address: string, zones: readonly string[], ready = true): SliceEndpoint {
  return { addresses: [address], ready, zones }
}

function used(asking: Service, zone: string | undefined, ...lists: readonly SliceEndpoint[][]): string[] {
  const slices = lists.map((endpoints) => ({ ...slice("shop/cart", [], "8080"), endpoints }))
  return lists
    .flat()
    .filter(zoneFilter(asking, slices, zone))
    .flatMap(({ addresses }) => addresses)
}

const here = endpoint("10.0.0.1", ["a"])
const there = endpoint("10.0.0.2", ["b"])
const both = endpoint("10.0.0.3", ["a", "b"])

test.each([
  ["PreferClose", preferring("PreferClose")],
  ["PreferSameZone", preferring("PreferSameZone")],
  ["topology-mode auto", annotated("auto")],
  ["topology-mode Auto", annotated("Auto")],
])("%s keeps to the zone", (_, asking) => {
  expect(used(asking, "a", [here, there], [both])).toEqual(["10.0.0.1", "10.0.0.3"])
})

test.each([
  ["a Service that says nothing", plain],
  ["another distribution", preferring("PreferSameNode")],
  ["topology-mode disabled", annotated("disabled")],
])("%s uses all", (_, asking) => {
  expect(used(asking, "a", [here, there])).toHaveLength(2)
})

test("all are used where the zone is not known, or one ready endpoint does not say, or none is meant for the zone", () => {
  const asking = preferring("PreferClose")
  expect(used(asking, undefined, [here, there])).toHaveLength(2)
  expect(used(asking, "a", [here, there], [endpoint("10.0.0.4", [])])).toHaveLength(3)
  expect(used(asking, "c", [here, there])).toHaveLength(2)
})

test("endpoints that are not ready have no say", () => {
  const asking = preferring("PreferClose")
  expect(used(asking, "a", [endpoint("10.0.0.1", ["a"], false), there])).toHaveLength(2)
  expect(used(asking, "a", [here, there, endpoint("10.0.0.4", [], false)])).toEqual(["10.0.0.1"])
})

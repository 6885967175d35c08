/** Consistent hashing: the ring of ingress-nginx, what a change moves, retries, subsets. */
import { crc32 } from "node:zlib"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { ingressRing } from "../support/reference-ring.ts"
import { runs } from "../support/runs.ts"
import { backend, type PostedEndpoint, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const BY_KEY = { upstreamHashByConfig: { "upstream-hash-by": "$arg_key" } }
const keys = Array.from({ length: 400 }, (_, i) => `key-${i}`)

function setHashed(worker: Worker, endpoints: readonly PostedEndpoint[], name = "a"): void {
  setBackends(worker, { name, endpoints: [...endpoints], ...BY_KEY })
}

function endpointsOf(count: number, from = 0): PostedEndpoint[] {
  return (backend("", from + count).endpoints ?? []).slice(from)
}

const nameOf = ({ address, port }: PostedEndpoint) => `${address}:${port}`

/** The name of the endpoint that a key gets. */
function pick(worker: Worker, key: string, tried: readonly number[] = []): string {
  worker.variables.set("arg_key", key)
  return nameOf(worker.pick("a", tried))
}

const picks = (worker: Worker, all: readonly string[] = keys) => all.map((key) => pick(worker, key))

function referencePicks(endpoints: readonly PostedEndpoint[], all: readonly string[] = keys): string[] {
  const names = endpoints.map(nameOf)
  const ring = ingressRing(
    names,
    endpoints.map(({ weight = 1 }) => weight),
  )
  return all.map((key) => names[ring.find(key)] as string)
}

test.each([1, 2, 3, 10, 100, 1000])("%i endpoints have the ring of ingress-nginx", (count) => {
  const worker = new Worker()
  setHashed(worker, endpointsOf(count))
  expect(picks(worker)).toEqual(referencePicks(endpointsOf(count)))
})

test("IPv6 addresses are hashed in brackets, weights as more points of the same chain", () => {
  const worker = new Worker()
  const hosts = ["2001:db8::1", "::1", "1:2:3:4:5:6:7:8", "10.0.0.1"]
  setHashed(
    worker,
    hosts.map((address, i) => ({ address, port: 65532 + i, weight: 1 + 33 * i })),
  )
  const named = hosts.map((address, i) => ({
    address: address.includes(":") ? `[${address}]` : address,
    port: 65532 + i,
    weight: 1 + 33 * i,
  }))
  expect(picks(worker)).toEqual(referencePicks(named))
})

test("any list after any other has the ring that it has by itself", () => {
  const endpoint = fc.record({
    address: fc.integer({ min: 1, max: 30 }).map((n) => `10.0.0.${n}`),
    port: fc.constantFrom("80", "8080"),
    weight: fc.constantFrom(1, 1, 1, 2, 7, 100),
  })
  const list = fc.uniqueArray(endpoint, { minLength: 1, maxLength: 40, selector: nameOf })
  const some = keys.slice(0, 60)
  fc.assert(
    fc.property(fc.array(list, { minLength: 2, maxLength: 6 }), (lists) => {
      const worker = new Worker()
      for (const endpoints of lists) {
        setHashed(worker, endpoints)
        expect(picks(worker, some)).toEqual(referencePicks(endpoints, some))
      }
    }),
    runs(10),
  )
})

test("a change back to the first list is in force at once", () => {
  const worker = new Worker()
  for (const count of [3, 4, 3, 2, 3]) {
    setHashed(worker, endpointsOf(count))
    expect(picks(worker)).toEqual(referencePicks(endpointsOf(count)))
  }
})

test("only the keys of an endpoint that goes move, and only keys to one that comes", () => {
  const worker = new Worker()
  const all = endpointsOf(100)
  setHashed(worker, all)
  const before = picks(worker)
  const gone = nameOf(all[40] as PostedEndpoint)
  setHashed(worker, all.toSpliced(40, 1))
  const after = picks(worker)
  const moved = keys.filter((_, i) => before[i] !== after[i])
  expect(moved).toEqual(keys.filter((_, i) => before[i] === gone))
  expect(moved.length).toBeGreaterThan(0)
  setHashed(worker, all.toReversed())
  expect(picks(worker)).toEqual(before)
})

test("of equal points the later endpoint's counts, in every worker, however its ring came to be", () => {
  // The CRC-32 of both names is the same, so they have all points in common.
  const twins = [
    { address: "10.6.122.118", port: "8080" },
    { address: "10.15.145.6", port: "8080" },
  ]
  const zones = new Zones()
  const [old, fresh] = [new Worker({ zones }), new Worker({ zones, seed: 2 })]
  const [first, second] = twins as [PostedEndpoint, PostedEndpoint]
  for (const list of [[first], [first, second], [second, first], endpointsOf(3).concat(second, first)]) {
    setHashed(old, list)
    expect(picks(old)).toEqual(referencePicks(list))
    expect(picks(fresh)).toEqual(picks(old))
  }
})

test("retries go round the ring, each to the endpoint that the key would have without those before", () => {
  const worker = new Worker()
  const endpoints = endpointsOf(6)
  setHashed(worker, endpoints)
  const ring = ingressRing(endpoints.map(nameOf))
  // The last ones are below all points.
  const below = Array.from({ length: 40_000 }, (_, i) => `${i}`).filter((key) => crc32(key) < 2_000_000)
  expect(below.length).toBeGreaterThan(5)
  for (const key of [...keys, ...below]) {
    worker.variables.set("arg_key", key)
    const tags: number[] = []
    const tried = endpoints.map(() => {
      const chosen = worker.pick("a", tags)
      tags.push(chosen.tag)
      return nameOf(chosen)
    })
    expect(tried).toEqual(ring.order(key).map((member) => nameOf(endpoints[member] as PostedEndpoint)))
  }
})

test("after the last one, a retry takes any", () => {
  const worker = new Worker()
  setHashed(worker, endpointsOf(2))
  const tags = [worker.pick("a").tag]
  tags.push(worker.pick("a", tags).tag)
  expect(tags).toContain(worker.pick("a", tags).tag)
  setHashed(worker, endpointsOf(1))
  const { tag } = worker.pick("a")
  expect(worker.pick("a", [tag]).tag).toBe(tag)
})

test("a key may be empty, and 8 KiB long", () => {
  const worker = new Worker()
  setHashed(worker, endpointsOf(50))
  const long = Array.from({ length: 30 }, (_, i) => `${i}/`.padEnd(8192 - i, "äx/"))
  expect(picks(worker, ["", ...long])).toEqual(referencePicks(endpointsOf(50), ["", ...long]))
  expect(new Set(picks(worker, long)).size).toBeGreaterThan(5)
})

test("the template is what the host expands", () => {
  const worker = new Worker()
  worker.variables.set("host", "shop.test").set("request_uri", "/cart?x=1")
  setBackends(worker, {
    ...backend("a", 100),
    upstreamHashByConfig: { "upstream-hash-by": `v\${host}-$request_uri$unset` },
  })
  expect([nameOf(worker.pick("a"))]).toEqual(referencePicks(endpointsOf(100), ["vshop.test-/cart?x=1"]))
})

test("where the host makes no key, any endpoint serves, and the log says so once", () => {
  const worker = new Worker({ abilities: { request: false } })
  for (const subset of [false, true]) {
    setBackends(worker, {
      ...backend("a", 4),
      upstreamHashByConfig: { "upstream-hash-by": "$host", "upstream-hash-by-subset": subset },
    })
    expect(new Set(picks(worker)).size).toBe(4)
    const { tag } = worker.pick("a")
    for (let i = 0; i < 20; i++) expect(worker.pick("a", [tag]).tag).not.toBe(tag)
  }
  expect(worker.log).toEqual([expect.stringMatching(/^Cannot hash .*backends\/a$/)])
})

test("10,000 endpoints are served: with a quarter of the points each, but moving as few keys", () => {
  const worker = new Worker()
  const all = endpointsOf(10_000)
  const post = (endpoints: readonly PostedEndpoint[]) => setHashed(worker, endpoints)
  post(all)
  const before = picks(worker)
  expect(new Set(before).size).toBeGreaterThan(300)
  const gone = before[7]
  post(all.filter((endpoint) => nameOf(endpoint) !== gone))
  const after = picks(worker)
  expect(keys.filter((_, i) => before[i] !== after[i])).toEqual(keys.filter((_, i) => before[i] === gone))
})

test("a weight that the control API would refuse counts as 100", () => {
  const [worker, other] = [new Worker(), new Worker()]
  setHashed(worker, endpointsOf(3))
  const record = worker.zones.get("backends/a")?.value ?? new Uint8Array()
  const heavy = Buffer.from(record)
  heavy.writeUInt16LE(65535, heavy.length - 7)
  worker.zones.write([{ key: "backends/a", value: heavy, cas: 0 }])
  const endpoints = endpointsOf(3)
  setHashed(other, [...endpoints.slice(0, 2), { ...(endpoints[2] as PostedEndpoint), weight: 100 }])
  expect(picks(worker)).toEqual(picks(other))
})

test("changing lists take no further memory", () => {
  const worker = new Worker()
  const cycle = () => {
    for (const count of [50, 51, 3, 200, 50, 1]) {
      setHashed(worker, endpointsOf(count, count % 7))
      worker.pick("a")
    }
  }
  for (let i = 0; i < 5; i++) cycle()
  const bytes = worker.memoryBytes
  for (let i = 0; i < 50; i++) cycle()
  expect(worker.memoryBytes).toBe(bytes)
})

const BY_SUBSET = (size?: number) => ({
  upstreamHashByConfig: {
    "upstream-hash-by": "$arg_key",
    "upstream-hash-by-subset": true,
    ...(size === undefined ? {} : { "upstream-hash-by-subset-size": size }),
  },
})

/** The subsets that a list is cut into, by the names of their endpoints. */
function subsetsOf(endpoints: readonly PostedEndpoint[], size: number): string[][] {
  const count = Math.ceil(endpoints.length / size)
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: Math.min(size, endpoints.length) }, (_, j) =>
      nameOf(endpoints[(i * size + j) % endpoints.length] as PostedEndpoint),
    ),
  )
}

test.each([
  [9, 3],
  [7, 3],
  [2, 3],
  [5, 1],
  [100, 7],
  [3, 2_147_483_647],
])("%i endpoints in subsets of %i: a key has the subset of ingress-nginx, and all of it", (count, size) => {
  const worker = new Worker()
  const endpoints = endpointsOf(count)
  setBackends(worker, { name: "a", endpoints, ...BY_SUBSET(size) })
  const subsets = subsetsOf(endpoints, Math.min(size, count))
  const ring = ingressRing(subsets.map((_, i) => `set${i + 1}`))
  for (const key of keys.slice(0, 60)) {
    const subset = subsets[ring.find(key)] ?? []
    const chosen = Array.from({ length: 20 * subset.length }, () => pick(worker, key))
    expect(new Set(chosen)).toEqual(new Set(subset))
  }
})

test("the size of subsets is 3 if none is given", () => {
  const worker = new Worker()
  setBackends(worker, { name: "a", endpoints: endpointsOf(9), ...BY_SUBSET() })
  const chosen = new Set(Array.from({ length: 100 }, () => pick(worker, "x")))
  expect(chosen.size).toBe(3)
})

test("a retry takes the untried of its subset, then the others", () => {
  const worker = new Worker()
  setBackends(worker, { name: "a", endpoints: endpointsOf(7), ...BY_SUBSET(3) })
  const subset = new Set(Array.from({ length: 100 }, () => pick(worker, "x")))
  const tags: number[] = []
  const tried = Array.from({ length: 7 }, () => {
    const chosen = worker.pick("a", tags)
    tags.push(chosen.tag)
    return nameOf(chosen)
  })
  expect(new Set(tried.slice(0, 3))).toEqual(subset)
  expect(new Set(tried).size).toBe(7)
})

test("the same seed makes the same choices inside a subset", () => {
  const choices = () => {
    const worker = new Worker({ seed: 7 })
    setBackends(worker, { name: "a", endpoints: endpointsOf(9), ...BY_SUBSET(5) })
    return picks(worker)
  }
  expect(choices()).toEqual(choices())
})

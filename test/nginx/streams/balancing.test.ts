// What backends say of balancing holds for sessions of TCP as it does for requests: weights, slow start, ejection, policies and zones.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../../../harness/ingress/passthrough.ts"
import { custom, PolicyDirectory } from "../../../harness/policies/policies.ts"
import { oursWat } from "../../../harness/policies/wat.ts"
import { freePorts } from "../../../harness/ports.ts"
import { answerOf, endpointAt, namedTargets, type Streams, startStreams } from "../../../harness/streams.ts"

let streams: Streams
let targets: Awaited<ReturnType<typeof namedTargets>>
let directory: PolicyDirectory
beforeAll(async () => {
  directory = await PolicyDirectory.make()
  ;[streams, targets] = await Promise.all([
    startStreams({ workers: 1, inWasm: directory.directives }),
    namedTargets("a", "b"),
  ])
})
afterAll(async () => {
  for (const each of [streams, targets, directory]) await each[Symbol.asyncDispose]()
})

const at = (name: "a" | "b", more: object = {}) => ({
  ...endpointAt(targets["ab".indexOf(name)]?.address ?? ""),
  ...more,
})

async function serve(endpoints: readonly object[], more: object = {}): Promise<void> {
  await streams.apply({
    backends: { set: [{ name: "db", "load-balance": "round_robin", endpoints, ...more }] },
    streams: { set: [{ name: `tcp:${streams.tcp}`, backend: "db" }] },
  })
}

/** Who served so many sessions, one after the other. */
async function served(count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let i = 0; i < count; i++) {
    using client = new Client(streams.tcp)
    const by = await answerOf(client)
    counts[by] = (counts[by] ?? 0) + 1
  }
  return counts
}

test("weights", async () => {
  await serve([at("a", { weight: 3 }), at("b", { weight: 1 })])
  expect(await served(40)).toEqual({ a: 30, b: 10 })
})

test("an endpoint that is added has a small share at first", async () => {
  const slow = { slowStart: { window_ms: 600_000 } }
  await serve([at("a")], slow)
  expect(await served(2)).toEqual({ a: 2 })
  await serve([at("a"), at("b")], slow)
  const { a = 0, b = 0 } = await served(40)
  expect(a + b).toBe(40)
  expect(b).toBeLessThan(10)
})

test("an endpoint that does not connect is left out after so many failures", async () => {
  const [port = 0] = await freePorts(1)
  const dead = { address: "127.0.0.1", port: String(port) }
  await serve([dead, at("a")], { outlierEjection: { failures: 2, ejection_ms: 600_000 } })
  expect(await served(20)).toEqual({ a: 20 })
  await streams.untilLogged(`to 127.0.0.1:${port}`)
  expect(streams.log().filter((line) => line.includes(`127.0.0.1:${port}`)).length).toBe(2)
})

test("a policy of one's own chooses by zones", async () => {
  const policy = await directory.add("ours", oursWat)
  await serve([at("a", { zone: "another" }), at("b", { zone: "ours" })], custom(policy))
  expect(await served(10)).toEqual({ b: 10 })
  await serve([at("a", { zone: "ours" }), at("b", { zone: "another" })], custom(policy))
  expect(await served(10)).toEqual({ a: 10 })
})

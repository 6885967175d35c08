// Sessions on an endpoint that is away: they stay until they end, or until the record's time is over.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../../../harness/ingress/passthrough.ts"
import { answerOf, endpointAt, namedTargets, type Streams, startStreams } from "../../../harness/streams.ts"
import { tookAtLeast } from "../../support/clock.ts"

let streams: Streams
let targets: Awaited<ReturnType<typeof namedTargets>>
beforeAll(async () => {
  ;[streams, targets] = await Promise.all([startStreams({ workers: 1, count: 2 }), namedTargets("a", "b")])
})
afterAll(async () => {
  await streams[Symbol.asyncDispose]()
  await targets[Symbol.asyncDispose]()
})

const [a, b] = [0, 1].map((at) => () => endpointAt(targets[at]?.address ?? "")) as [
  () => object,
  () => object,
]

const endpoints = (...all: readonly object[]) =>
  streams.apply({ backends: { set: [{ name: "db", "load-balance": "round_robin", endpoints: all }] } })

const record = (port: number, more: object) => ({ name: `tcp:${port}`, backend: "db", ...more })

async function open(port = streams.tcp): Promise<Client> {
  const client = new Client(port)
  await answerOf(client)
  return client
}

/** On a busy machine it takes its time to ask once more meanwhile. */
const drainMs = 5000

test("without a time they stay; with one those alone go whose endpoint is away, and not before", async () => {
  const [, other = 0] = streams.ports
  await endpoints(a())
  await streams.apply({
    streams: { set: [record(streams.tcp, { drain_ms: drainMs }), record(other, {})] },
  })
  using draining = await open()
  using staying = await open(other)
  const fresh = await tookAtLeast(drainMs, async () => {
    await endpoints(b())
    const opened = await open()
    expect(await answerOf(draining)).toBe("a")
    await draining.closed
    return opened
  })
  using _ = fresh
  expect([await answerOf(staying), await answerOf(fresh)]).toEqual(["a", "b"])
})

test("one that comes back in time keeps its sessions, and 0 ends them at the next look", async () => {
  await streams.apply({ streams: { set: [record(streams.tcp, { drain_ms: 0 })] } })
  await endpoints(b())
  using short = await open()
  await streams.apply({ streams: { set: [record(streams.tcp, { drain_ms: 600_000 })] } })
  using long = await open()
  await endpoints(a())
  await short.closed
  await endpoints(a(), b())
  expect(await answerOf(long)).toBe("b")
})

test("a backend that is gone has none, and a record that goes touches no session", async () => {
  await endpoints(a())
  await streams.apply({ streams: { set: [record(streams.tcp, { drain_ms: 500 })] } })
  using session = await open()
  await streams.apply({ streams: { remove: [`tcp:${streams.tcp}`] } })
  expect(await answerOf(session)).toBe("a")
  await streams.apply({ backends: { remove: ["db"] } })
  await session.closed
})

test("its place among those of its client is free again", async () => {
  await endpoints(a())
  await streams.apply({ streams: { set: [record(streams.tcp, { drain_ms: 0, connections: 1 })] } })
  using first = await open()
  await endpoints(b())
  await first.closed
  using second = await open()
  expect(await answerOf(second)).toBe("b")
})

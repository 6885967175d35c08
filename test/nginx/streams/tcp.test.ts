// Ports of TCP: sessions find the record of their port, and go to the endpoints of its backend by all that holds for balancing.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Client } from "../../../harness/ingress/passthrough.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { freePorts } from "../../../harness/ports.ts"
import {
  answerOf,
  endpointAt,
  namedTargets,
  type Streams,
  startStreams,
  streamsConf,
} from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { tookAtLeast } from "../../support/clock.ts"

let streams: Streams
let targets: Awaited<ReturnType<typeof namedTargets>>
let dead: string
beforeAll(async () => {
  const [started, made, [port]] = await Promise.all([
    startStreams({ workers: 2, count: 2 }),
    namedTargets("a", "b", "c"),
    freePorts(1),
  ])
  ;[streams, targets, dead] = [started, made, `127.0.0.1:${port}`]
})
afterAll(async () => {
  await streams[Symbol.asyncDispose]()
  await targets[Symbol.asyncDispose]()
})

const at = (...names: readonly string[]) => names.map((name) => targets["abc".indexOf(name)]?.address ?? dead)

/** A session that stays open, and who serves it. */
async function open(port = streams.tcp): Promise<{ readonly client: Client; readonly by: string }> {
  const client = new Client(port)
  return { client, by: await answerOf(client) }
}

/** Who served so many sessions, one after the other. */
async function served(count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let i = 0; i < count; i++) {
    const { client, by } = await open()
    counts[by] = (counts[by] ?? 0) + 1
    client.socket.end()
    await client.closed
  }
  return counts
}

async function closedAtOnce(port = streams.tcp): Promise<Buffer> {
  using client = new Client(port)
  await client.closed
  return client.answer
}

test("a port of which nothing is known is closed at once; that is counted, and said now and then", async () => {
  const port = streams.ports[1] ?? 0
  for (let i = 0; i < 3; i++) expect((await closedAtOnce(port)).length).toBe(0)
  await streams.untilLogged('127.0.0.1 TCP 502 "-" "no_record" -/-:- to -')
  const counted = await streams.counted(`tcp:${port}`)
  expect(counted).toMatchObject({ sessions: 3, failed: 0, refused: { no_record: 3, denied: 0 } })
  const lines = streams.nginx
    .errorLog()
    .split("\n")
    .filter((line) => line.includes(`Cannot serve "tcp:${port}"`))
  // One at most of each of two workers.
  expect(lines.length).toBeLessThanOrEqual(2)
  expect(lines[0]).toContain("nothing is known of it, client: 127.0.0.1")
})

test("endpoints take turns, and the log knows the session's Service", async () => {
  await streams.serve("tcp", at("a", "b", "c"))
  const counts = await served(30)
  expect(Object.keys(counts).sort()).toEqual(["a", "b", "c"])
  // Each of two workers has its own turn.
  expect(Math.max(...Object.values(counts)) - Math.min(...Object.values(counts))).toBeLessThanOrEqual(2)
  await streams.untilLogged(
    `127.0.0.1 TCP 200 "tcp-demo-db-${streams.tcp}" "-" demo/db:5432 to ${targets[0]?.address} 1 1`,
  )
  const counted = await streams.counted(`tcp:${streams.tcp}`)
  expect(counted).toMatchObject({ failed: 0, refused: { no_record: 0 } })
  expect(counted.received_bytes).toBeGreaterThanOrEqual(29)
  expect(counted.connected).toBeGreaterThanOrEqual(29)
})

test("what changes is in force for the next session, and runs on for those that are there", async () => {
  await streams.serve("tcp", at("a"))
  const { client } = await open()
  using _ = client
  await streams.serve("tcp", at("b"))
  expect(await served(4)).toEqual({ b: 4 })
  await streams.apply({ streams: { remove: [`tcp:${streams.tcp}`] } })
  expect((await closedAtOnce()).length).toBe(0)
  expect(await answerOf(client)).toBe("a")
})

test("a refused connect is tried elsewhere, as often as the record says", async () => {
  await streams.serve("tcp", at("dead", "a", "dead", "b"))
  const { a = 0, b = 0, ...others } = await served(20)
  expect([a + b, others]).toEqual([20, {}])
  await streams.serve("tcp", [dead, ...at("a")], { stream: { next_upstream: false } })
  const closed = await Promise.all(
    Array.from({ length: 8 }, async () => {
      using client = new Client(streams.tcp)
      await client.send("?")
      await until("an answer or the end", () => client.answer.length > 0 || client.socket.closed)
      return client.answer.length === 0
    }),
  )
  expect(closed.filter(Boolean).length).toBeGreaterThan(0)
  expect(closed.filter((isClosed) => !isClosed).length).toBeGreaterThan(0)
  await streams.untilLogged(`127.0.0.1 TCP 502 "tcp-demo-db-${streams.tcp}" "-" demo/db:5432 to ${dead} `)
  expect((await streams.counted(`tcp:${streams.tcp}`)).failed).toBeGreaterThan(0)
})

test("next_upstream_tries ends the search", async () => {
  const [other] = await freePorts(1)
  await streams.serve("tcp", [dead, `127.0.0.1:${other}`], { stream: { next_upstream_tries: 1 } })
  await closedAtOnce()
  await streams.serve("tcp", [dead, `127.0.0.1:${other}`], { stream: { next_upstream_tries: 2 } })
  await closedAtOnce()
  await streams.untilLogged(/ to 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ /)
  const lines = streams.log().filter((line) => line.includes(` to ${dead}`) || line.includes(`:${other}`))
  expect(lines.at(-2)).not.toContain(", ")
})

test("a backend without an endpoint: closed at once, and counted as failed", async () => {
  const before = (await streams.counted(`tcp:${streams.tcp}`)).failed
  await streams.serve("tcp", [])
  expect((await closedAtOnce()).length).toBe(0)
  await until(
    "it to be counted",
    async () => (await streams.counted(`tcp:${streams.tcp}`)).failed === before + 1,
  )
})

test("bytes that went out are never sent again", async () => {
  // One that takes what comes and closes without a word.
  const { createServer } = await import("node:net")
  const got: string[] = []
  const rude = createServer((socket) => {
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        got.push(chunk.toString())
        socket.destroy()
      })
  })
  await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve))
  const address = rude.address()
  const port = typeof address === "object" ? address?.port : 0
  await streams.serve("tcp", [`127.0.0.1:${port}`, ...at("a")])
  const taken = targets[0]?.received.length ?? 0
  for (let i = 0; i < 6; i++) {
    using client = new Client(streams.tcp)
    await client.send(`once-${i}`)
    await until("an answer or the end", () => client.answer.length > 0 || client.socket.closed)
  }
  rude.close()
  const all = [...got, ...(targets[0]?.received.slice(taken) ?? []).map(String)]
  expect(all.filter((text) => text.startsWith("once-")).sort()).toEqual(
    Array.from({ length: 6 }, (_, i) => `once-${i}`),
  )
  expect(got.length).toBeGreaterThan(0)
})

describe("algorithms", () => {
  test.each(["ewma", "p2c", "round_robin"])("%s reaches every endpoint", async (algorithm) => {
    await streams.serve("tcp", at("a", "b", "c"), { backend: { "load-balance": algorithm } })
    const counts = await served(60)
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(Object.keys(counts).sort()).toEqual(["a", "b", "c"])
  })

  test("least_conn counts the sessions that run, of all workers", async () => {
    await streams.serve("tcp", at("a", "b", "c"), { backend: { "load-balance": "least_conn" } })
    const held = []
    for (let i = 0; i < 9; i++) held.push(await open())
    const counts = Map.groupBy(held, ({ by }) => by)
    expect([...counts.values()].map((some) => some.length)).toEqual([3, 3, 3])
    for (const { client } of held) client[Symbol.dispose]()
  })

  test("a hash of the client's address stays, one of what sessions do not have spreads", async () => {
    const by = (key: string) => ({ backend: { upstreamHashByConfig: { "upstream-hash-by": key } } })
    await streams.serve("tcp", at("a", "b", "c"), by("$remote_addr"))
    expect(Object.values(await served(20))).toEqual([20])
    await streams.serve("tcp", at("a", "b", "c"), by("$request_uri"))
    expect(Object.keys(await served(60)).length).toBeGreaterThan(1)
  })

  test("a canary takes its share", async () => {
    await streams.apply({
      backends: {
        set: [
          {
            name: "canary",
            endpoints: at("c").map(endpointAt),
            trafficShapingPolicy: { weight: 100, weightTotal: 100 },
          },
        ],
      },
    })
    await streams.serve("tcp", at("a"), { backend: { alternativeBackends: ["canary"] } })
    expect(await served(6)).toEqual({ c: 6 })
  })

  test("an endpoint that refuses connections is left out, by all workers together", async () => {
    const outlierEjection = { failures: 3, ejection_ms: 3_600_000 }
    await streams.serve("tcp", [dead, ...at("a", "b")], { backend: { outlierEjection } })
    const refusals = () =>
      streams.nginx
        .errorLog()
        .split("\n")
        .filter((line) => line.includes("refused") && line.includes(dead)).length
    const before = refusals()
    await served(60)
    expect(refusals() - before).toBe(3)
  })
})

test("a session that is silent ends after the record's time", async () => {
  await streams.serve("tcp", at("a"), { stream: { proxy_timeout_ms: 3000 } })
  const { client } = await open()
  using _ = client
  await tookAtLeast(2500, () => client.closed)
})

test("rates of either direction are kept", async () => {
  await streams.serve("tcp", at("a"), { stream: { upload_bytes: 1000 } })
  using client = new Client(streams.tcp)
  await tookAtLeast(900, async () => {
    await client.send(Buffer.alloc(2500))
    await until("all to have come", () => (targets[0]?.received.at(-1)?.length ?? 0) === 2500)
  })
})

test("numbers of a record are gone with the next one", async () => {
  await streams.serve("tcp", at("a"), { stream: { upload_bytes: 1, proxy_timeout_ms: 1 } })
  await streams.serve("tcp", at("a"))
  using client = new Client(streams.tcp)
  await client.send(Buffer.alloc(100_000))
  await until("all to have come", () => (targets[0]?.received.at(-1)?.length ?? 0) === 100_000)
})

test("sessions go on in the old workers over a reload, with what they began with", async () => {
  await streams.serve("tcp", at("a"), { stream: { proxy_timeout_ms: 60_000 } })
  const { client } = await open()
  using _ = client
  await streams.nginx.reload()
  await streams.serve("tcp", at("b"))
  expect(await served(2)).toEqual({ b: 2 })
  expect(await answerOf(client)).toBe("a")
})

test("a record that cannot be read closes the port, and the log says why", async () => {
  await streams.apply({
    streams: { set: [{ name: `tcp:${streams.tcp}`, backend: "x", allow: "not-there" }] },
  })
  expect((await closedAtOnce()).length).toBe(0)
  await streams.untilLogged('"unreadable"')
  expect(streams.nginx.errorLog()).toContain(
    `Cannot read the record of stream "tcp:${streams.tcp}": a part of it is not there`,
  )
})

test("hostile clients: half-open, silent, huge, and gone", async () => {
  await streams.serve("tcp", at("a"))
  const clients = Array.from({ length: 300 }, () => new Client(streams.tcp))
  await Promise.all(clients.slice(0, 100).map((client) => client.send(Buffer.alloc(50_000, "x"))))
  for (const client of clients.slice(100, 200)) client.socket.end()
  for (const client of clients.slice(200)) client.socket.resetAndDestroy()
  await until("those that sent something to be answered", () =>
    clients.slice(0, 100).every((client) => client.answer.length > 0),
  )
  for (const client of clients) client[Symbol.dispose]()
  expect(await served(2)).toEqual({ a: 2 })
  await until("all of them to have ended", async () => {
    const { sessions, ended } = await streams.counted(`tcp:${streams.tcp}`)
    return sessions === ended
  })
})

describe("configurations that cannot work are refused", () => {
  test.each([
    ["ingress_stream_route tcp:0;", "takes tcp: or udp: and a port from 1 to 65535"],
    ["ingress_stream_route sctp:1;", "takes tcp: or udp: and a port from 1 to 65535"],
    ["ingress_stream_route tcp:1 by_name;", 'takes "by_address" beside a port'],
    ["ingress_stream_route tcp:1; ingress_stream_route tcp:2;", "is duplicate"],
  ])("%s", async (text, reason) => {
    const moreServers = () => `server { listen 127.0.0.1:1; ${text} return ""; }`
    const { ok, output } = await checkConf(streamsConf({ moreServers }), { ports: 2 })
    expect([ok, output.includes(reason)]).toEqual([false, true])
  })
})

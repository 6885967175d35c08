// TLS connections that are passed through go to the endpoints of their host's backend, by all that holds for the balancing of its requests.
import { once } from "node:events"
import { connect, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { scrape, sumOf, untilSum } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { startTlsEcho, type TlsEcho } from "../../support/tls-echo.ts"
import { Site } from "./site.ts"

let site: Site
let endpoints: TlsEcho[]
let dead: number
beforeAll(async () => {
  ;[site, endpoints] = await Promise.all([
    Site.start([], { flags: ["--enable-ssl-passthrough", "--metrics-per-endpoint"] }),
    Promise.all(["a", "b", "c"].map(startTlsEcho)),
  ])
  ;[dead = 0] = await freePorts(1)
})
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.stop()
  await site[Symbol.asyncDispose]()
})

const passing = { "ssl-passthrough": "true" }
const ports = (...names: readonly string[]) =>
  names.map((name) => endpoints.find((endpoint) => endpoint.name === name)?.port ?? dead)

/** Host db.test on the endpoints of these names; others stand for one that is down. */
function database(names: readonly string[], annotations: Readonly<Record<string, string>> = {}): Json[] {
  return [
    ingress("demo/db", "db.test/ → db:80", { ...passing, ...annotations }, 1),
    ...serviceOn("demo/db", ports(...names)),
  ]
}

const untilCounted = (name: string, backend: string, endpoint: string, wanted: number) => {
  const labels = { backend, endpoint: `127.0.0.1:${ports(endpoint)[0]}` }
  return untilSum(site.wick, `wick_endpoint_${name}`, labels, wanted)
}

/** A session that stays open. */
async function open(): Promise<TLSSocket> {
  const socket = connect({
    port: site.wick.httpsPort,
    host: "127.0.0.1",
    servername: "db.test",
    rejectUnauthorized: false,
  })
  socket.on("error", () => {})
  await once(socket, "secureConnect")
  return socket
}

const nameOf = (socket: TLSSocket) => String(socket.getPeerCertificate().subject.CN)

/** Who served so many sessions, one after the other. */
async function served(count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let i = 0; i < count; i++) {
    const socket = await open()
    const name = nameOf(socket)
    counts[name] = (counts[name] ?? 0) + 1
    socket.destroy()
  }
  return counts
}

test("endpoints take turns", async () => {
  await site.put(...database(["a", "b", "c"]))
  const counts = await served(60)
  expect(Object.keys(counts).sort()).toEqual(["a", "b", "c"])
  await site.expectOnlyPosts()
})

test("least_conn counts the sessions that run", async () => {
  await until("those of before to end", () => endpoints.every(({ open }) => open() === 0))
  await site.put(...database(["a", "b", "c"], { "load-balance": "least_conn" }))
  const sockets: TLSSocket[] = []
  for (let i = 0; i < 9; i++) sockets.push(await open())
  const counts = Map.groupBy(sockets, nameOf)
  expect([...counts.values()].map((held) => held.length)).toEqual([3, 3, 3])
  // Those of one end: the next ones go there.
  for (const socket of counts.get("b") ?? []) socket.destroy()
  await until("b to have no session", () => endpoints.every(({ name, open }) => name !== "b" || open() === 0))
  await until("the next session to go to b", async () => {
    const socket = await open()
    const name = nameOf(socket)
    socket.destroy()
    return name === "b"
  })
  for (const socket of sockets) socket.destroy()
})

test("clients are hashed by their address; a key that connections do not have spreads them", async () => {
  await site.put(...database(["a", "b", "c"], { "upstream-hash-by": "$remote_addr" }))
  expect(Object.values(await served(20))).toEqual([20])
  await site.put(...database(["a", "b", "c"], { "upstream-hash-by": "$request_uri" }))
  expect(Object.keys(await served(60)).length).toBeGreaterThan(1)
})

test("a dead endpoint costs no session, and attempts are counted by endpoint", async () => {
  const objects = [
    ingress("demo/counted", "db.test/ → counted:80", passing, 1),
    ...serviceOn("demo/counted", ports("a", "dead", "b")),
  ]
  await site.put(...objects)
  const { a = 0, b = 0, ...others } = await served(60)
  expect([a + b, others]).toEqual([60, {}])
  await untilCounted("attempts_total", "demo-counted-80", "a", a)
  await untilCounted("attempts_total", "demo-counted-80", "b", b)
  await untilCounted("response_seconds_count", "demo-counted-80", "b", b)
  const samples = await scrape(site.wick)
  const labels = { backend: "demo-counted-80", endpoint: `127.0.0.1:${dead}` }
  const tried = sumOf(samples, "wick_endpoint_attempts_total", labels)
  expect(tried).toBeGreaterThan(0)
  expect(sumOf(samples, "wick_endpoint_failures_total", { ...labels, cause: "connect" })).toBe(tried)
})

test("an endpoint that refuses connections is left out for a while, by all workers together", async () => {
  const ejecting = { "wick.dev/outlier-failures": "3", "wick.dev/outlier-ejection-time": "1h" }
  await site.put(...database(["a", "dead", "b"], ejecting))
  const isRefusal = (line: string) => line.includes("Connection refused") && line.includes(`:${dead}`)
  const refusals = () => site.wick.log().split("\n").filter(isRefusal).length
  const before = refusals()
  await served(90)
  await until("nginx to have logged it", () => refusals() - before >= 3)
  expect(refusals() - before).toBe(3)
})

test("a canary takes its share of the connections", async () => {
  const canary = ingress("demo/canary", "db.test/ → next:80", { canary: "true", "canary-weight": "100" }, 2)
  await site.put(...database(["a"]), canary, ...serviceOn("demo/next", ports("c")))
  expect(await served(10)).toEqual({ c: 10 })
  await untilCounted("attempts_total", "demo-next-80", "c", 10)
})

test("endpoints come and go by a post, and sessions stay", async () => {
  await site.put(...database(["a"]))
  using held = await hold()
  await site.put(...database(["b"]))
  expect(await served(5)).toEqual({ b: 5 })
  expect(await held.echo("still there")).toBe("still there")
  await site.expectOnlyPosts()
})

test("without an endpoint connections are closed at once", async () => {
  await site.put(...database([]))
  const socket = connect({ port: site.wick.httpsPort, host: "127.0.0.1", servername: "db.test" })
  let isSecure = false
  socket
    .on("error", () => {})
    .on("secureConnect", () => {
      isSecure = true
    })
  await new Promise((resolve) => socket.once("close", resolve))
  expect(isSecure).toBe(false)
  await site.untilProblem("passthrough-without-endpoint")
})

async function hold() {
  const socket = await open()
  const echo = async (text: string) => {
    socket.write(text)
    const [chunk] = (await once(socket, "data")) as [Buffer]
    return chunk.toString()
  }
  return { echo, [Symbol.dispose]: () => void socket.destroy() }
}

// Which clients may come, and how many sessions each may have: by the record of the port.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { Client, rawTarget, type Target } from "../../../harness/ingress/passthrough.ts"
import { signal } from "../../../harness/processes.ts"
import { answerOf, type Streams, startStreams, UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { proxyV1 } from "../../support/agents.ts"

let streams: Streams
let target: Target
beforeAll(async () => {
  ;[streams, target] = await Promise.all([
    startStreams({ workers: 2, inStream: "set_real_ip_from 127.0.0.1;" }),
    rawTarget("hello"),
  ])
  const list = (id: string, ...ranges: string[]) => ({ id, ranges })
  await streams.apply({
    address_lists: {
      set: [list("local", "127.0.0.0/8"), list("others", "198.51.100.0/24"), list("one", "198.51.100.7/32")],
    },
  })
})
afterAll(async () => {
  for (const each of [streams, target]) await each[Symbol.asyncDispose]()
})
beforeEach(() => streams.apply({ streams: { remove: [`tcp:${streams.tcp}`] } }))

const serve = (stream: object) => streams.serve("tcp", [target.address], { stream })
const refused = async () => (await streams.counted(`tcp:${streams.tcp}`)).refused

/** Whether a client is served. @param from what it says of its address */
async function isServed(from?: string): Promise<boolean> {
  using client = new Client(streams.tcp)
  await client.send(`${from === undefined ? "" : proxyV1(from, 443)}?`)
  await until("an answer or the end", () => client.answer.length > 0 || client.socket.closed)
  return client.answer.length > 0
}

test("lists of addresses: who is denied stays out, even if allowed", async () => {
  await serve({ allow: "local" })
  expect(await isServed()).toBe(true)
  await serve({ allow: "others" })
  expect(await isServed()).toBe(false)
  await serve({ deny: "local" })
  expect(await isServed()).toBe(false)
  await serve({ allow: "local", deny: "local" })
  expect(await isServed()).toBe(false)
  expect(await refused()).toMatchObject({ denied: 3 })
  await streams.untilLogged('127.0.0.1 TCP 403 "tcp-demo')
})

test("the address is that of the PROXY header", async () => {
  await serve({ accepts_proxy_protocol: true, allow: "others", deny: "one" })
  expect(await isServed("198.51.100.8")).toBe(true)
  expect(await isServed("198.51.100.7")).toBe(false)
  expect(await isServed("127.0.0.1")).toBe(false)
})

test("sessions of a client at a time, over all workers, and again when some have ended", async () => {
  await serve({ connections: 3, accepts_proxy_protocol: true })
  const clients: Client[] = []
  for (let i = 0; i < 3; i++) {
    const client = new Client(streams.tcp)
    clients.push(client)
    expect(await answerOf(client, `${proxyV1("198.51.100.7", 443)}?`)).toBe("hello")
  }
  const before = (await refused()).connections ?? 0
  expect(await isServed("198.51.100.7")).toBe(false)
  expect(await isServed("198.51.100.8")).toBe(true)
  expect((await refused()).connections).toBe(before + 1)
  await streams.untilLogged(/^198\.51\.100\.7 TCP 503 .* "connections" /)
  clients[0]?.[Symbol.dispose]()
  await until("the place to be free", () => isServed("198.51.100.7"))
  for (const client of clients) client[Symbol.dispose]()
})

test("new sessions of a client in a while", async () => {
  await serve({ connections_per_second: 1, accepts_proxy_protocol: true })
  const served = []
  for (let i = 0; i < 30; i++) served.push(await isServed("198.51.100.7"))
  const count = served.filter(Boolean).length
  // Five may come at once beside the first; who waits gets more.
  expect(count).toBeGreaterThanOrEqual(6)
  expect(count).toBeLessThan(30)
  expect(await isServed("198.51.100.8")).toBe(true)
  expect((await refused()).rate).toBe(30 - count)
})

test("ports count apart, and UDP has limits, too", async () => {
  await using udp = await UdpTarget.start(() => ["hello"])
  await serve({ connections: 1 })
  await streams.serve("udp", [udp.address], { stream: { connections: 1 } })
  using held = new Client(streams.tcp)
  await answerOf(held)
  using first = new UdpClient(streams.tcp)
  expect(await first.ask("?")).toEqual(["hello"])
  using second = new UdpClient(streams.tcp)
  await second.send("?")
  await streams.untilLogged(/UDP 503 .* "connections" /)
  expect(await first.ask("?")).toEqual(["hello"])
  expect(udp.received.length).toBe(2)
})

test("a worker that is killed gives back what its sessions held", async () => {
  await serve({ connections: 2 })
  const clients = [new Client(streams.tcp), new Client(streams.tcp)]
  for (const client of clients) await answerOf(client)
  expect(await isServed()).toBe(false)
  for (const pid of streams.nginx.workers()) signal(pid, "SIGKILL")
  await until("both to be gone", () => clients.every(({ socket }) => socket.closed))
  await until("the next to be served", () => isServed())
})

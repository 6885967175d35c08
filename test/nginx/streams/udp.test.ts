// Ports of UDP: the datagrams of a client are a session, which stays with its endpoint, and with one worker.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Streams, startStreams, UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"

let streams: Streams
let targets: readonly UdpTarget[]
beforeAll(async () => {
  // An endpoint answers with its name, as often as the datagram says.
  const answers = (name: string) => (text: string) =>
    Array.from({ length: Number(/\d+$/.exec(text)?.[0] ?? 1) }, () => name)
  ;[streams, targets] = await Promise.all([
    startStreams({ workers: 4 }),
    Promise.all(["a", "b", "c"].map((name) => UdpTarget.start(answers(name)))),
  ])
})
afterAll(async () => {
  for (const each of [streams, ...targets]) await each[Symbol.asyncDispose]()
})

const at = (...names: readonly string[]) => names.map((name) => targets["abc".indexOf(name)]?.address ?? "")
const sessions = async () => (await streams.counted(`udp:${streams.tcp}`)).sessions
/** Those that have not ended. */
async function running(): Promise<number> {
  const { sessions, ended } = await streams.counted(`udp:${streams.tcp}`)
  return sessions - ended
}

test("without a record datagrams are dropped, and counted", async () => {
  using client = new UdpClient(streams.tcp)
  await client.send("?")
  await streams.untilLogged('127.0.0.1 UDP 502 "-" "no_record"')
  expect(await streams.counted(`udp:${streams.tcp}`)).toMatchObject({
    sessions: 1,
    refused: { no_record: 1 },
  })
})

test("a client stays with one endpoint and one worker, however many answers come", async () => {
  await streams.serve("udp", at("a", "b", "c"))
  const before = await sessions()
  const clients = Array.from({ length: 12 }, () => new UdpClient(streams.tcp))
  const names = new Set<string>()
  for (const client of clients) {
    const answers = new Set<string>()
    for (const count of [1, 3, 2])
      for (const answer of await client.ask(`?${count}`, count)) answers.add(answer)
    expect([...answers].length).toBe(1)
    for (const answer of answers) names.add(answer)
  }
  expect([...names].sort()).toEqual(["a", "b", "c"])
  expect((await sessions()) - before).toBe(12)
  for (const client of clients) client[Symbol.dispose]()
})

test("an endpoint serves its sessions on while the list changes", async () => {
  await streams.serve("udp", at("a"))
  using old = new UdpClient(streams.tcp)
  expect(await old.ask("?")).toEqual(["a"])
  await streams.serve("udp", at("b"))
  using young = new UdpClient(streams.tcp)
  expect(await young.ask("?")).toEqual(["b"])
  expect(await old.ask("?2", 2)).toEqual(["a", "a"])
})

test("a session ends with the responses that the record expects", async () => {
  await streams.serve("udp", at("a"), { stream: { responses: 2 } })
  using client = new UdpClient(streams.tcp)
  const before = await sessions()
  expect(await client.ask("?2", 2)).toEqual(["a", "a"])
  await streams.untilLogged(/UDP 200 .* to \S+ 2 2$/)
  expect(await client.ask("?2", 2)).toEqual(["a", "a"])
  expect((await sessions()) - before).toBe(2)
})

test("a session takes as many requests as the record says", async () => {
  await streams.serve("udp", at("a"), { stream: { responses: 1, requests: 2 } })
  using client = new UdpClient(streams.tcp)
  const before = await sessions()
  for (let i = 0; i < 6; i++) expect(await client.ask("?")).toEqual(["a"])
  expect((await sessions()) - before).toBe(3)
})

test("nothing is waited for where the record expects no response, and a silent session ends", async () => {
  await streams.serve("udp", at("a"), { stream: { responses: 0 } })
  using client = new UdpClient(streams.tcp)
  await client.send("silence 0")
  await until("it to have come", () => targets[0]?.received.some(({ text }) => text === "silence 0"))
  await streams.untilLogged(/UDP 200 .* to \S+ 9 0$/)
  await streams.serve("udp", at("a"), { stream: { proxy_timeout_ms: 300 } })
  using other = new UdpClient(streams.tcp)
  await other.send("quiet 0")
  await streams.untilLogged(/UDP 200 .* to \S+ 7 0$/)
})

test("clients are hashed by their address", async () => {
  const backend = { upstreamHashByConfig: { "upstream-hash-by": "$remote_addr" } }
  await streams.serve("udp", at("a", "b", "c"), { backend })
  const names = new Set<string>()
  for (let i = 0; i < 10; i++) {
    using client = new UdpClient(streams.tcp)
    for (const name of await client.ask("?")) names.add(name)
  }
  expect([...names].length).toBe(1)
})

test("after a reload clients have new sessions, in the workers that there are now", async () => {
  await streams.serve("udp", at("a"))
  using client = new UdpClient(streams.tcp)
  expect(await client.ask("?")).toEqual(["a"])
  await streams.nginx.reload()
  await streams.serve("udp", at("b"))
  expect(await client.ask("?")).toEqual(["b"])
})

test("many clients at once, and a datagram as large as there are", async () => {
  await streams.serve("udp", at("a", "b"), { stream: { responses: 1, proxy_timeout_ms: 60_000 } })
  const before = await running()
  const clients = Array.from({ length: 200 }, () => new UdpClient(streams.tcp))
  for (const client of clients) expect((await client.ask("?")).length).toBe(1)
  const [client] = clients
  await client?.ask(`${"x".repeat(16_000)} 1`)
  for (const each of clients) each[Symbol.dispose]()
  await until("all of them to have ended", async () => (await running()) === before)
})

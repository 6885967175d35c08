// Ports whose addresses have records of their own.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../../../harness/ingress/passthrough.ts"
import {
  answerOf,
  namedTargets,
  type Streams,
  startStreams,
  UdpClient,
  UdpTarget,
} from "../../../harness/streams.ts"

const addresses = ["127.0.0.2", "127.0.0.3", "[::1]"]

const serverOf = (port: number, protocol: "tcp" | "udp") => `
  server {
    ${addresses.map((address) => `listen ${address}:${port}${protocol === "udp" ? " udp reuseport" : ""};`).join("\n    ")}
    ingress_stream_route ${protocol}:${port} by_address;
    proxy_wasm balancer;
    proxy_pass upstream_balancer;
  }`

let streams: Streams
let targets: Awaited<ReturnType<typeof namedTargets>>
beforeAll(async () => {
  ;[streams, targets] = await Promise.all([
    startStreams({
      workers: 2,
      moreServers: ({ ports: [, port = 0] }) => serverOf(port, "tcp") + serverOf(port, "udp"),
    }),
    namedTargets("port", "two", "six"),
  ])
})
afterAll(async () => {
  await streams[Symbol.asyncDispose]()
  await targets[Symbol.asyncDispose]()
})

const record = (at: string, backend: string, more: object = {}) => ({
  name: `tcp:${at}${streams.tcp}`,
  backend,
  ...more,
})

async function answer(host: string): Promise<string> {
  using client = new Client(streams.tcp, host)
  return await answerOf(client)
}

async function isClosed(host: string): Promise<boolean> {
  using client = new Client(streams.tcp, host)
  await client.closed
  return client.answer.length === 0
}

test("a client has the record of the address that it has connected to, else that of the port", async () => {
  const set = ["port", "two", "six"].map((name, at) => ({
    name,
    endpoints: [{ address: "127.0.0.1", port: targets[at]?.address.split(":")[1] }],
  }))
  await streams.apply({
    backends: { set },
    streams: { set: [record("127.0.0.2:", "two"), record("[::1]:", "six"), record("", "port")] },
  })
  const all = await Promise.all(["127.0.0.1", "127.0.0.2", "127.0.0.3", "::1"].map(answer))
  expect(all).toEqual(["port", "two", "port", "six"])
  await expect.poll(async () => (await streams.counted(`tcp:127.0.0.2:${streams.tcp}`)).ended).toBe(1)
  await expect.poll(async () => (await streams.counted(`tcp:[::1]:${streams.tcp}`)).ended).toBe(1)
  await expect.poll(async () => (await streams.counted(`tcp:${streams.tcp}`)).ended).toBe(2)
})

test("records of addresses come and go as data; without that of the port the others serve nobody else", async () => {
  await streams.apply({ streams: { remove: [record("127.0.0.2:", "").name] } })
  expect(await answer("127.0.0.2")).toBe("port")
  await streams.apply({ streams: { remove: [record("", "").name] } })
  expect(await isClosed("127.0.0.2")).toBe(true)
  expect(await answer("::1")).toBe("six")
  await streams.apply({ streams: { set: [record("127.0.0.2:", "two")] } })
  expect(await answer("127.0.0.2")).toBe("two")
})

test("limits are of a record, not of the port", async () => {
  const limited = (at: string) => record(at, "two", { connections: 1 })
  await streams.apply({ streams: { set: [limited("127.0.0.2:"), limited("127.0.0.3:")] } })
  using first = new Client(streams.tcp, "127.0.0.2")
  expect(await answerOf(first)).toBe("two")
  expect(await isClosed("127.0.0.2")).toBe(true)
  expect(await answer("127.0.0.3")).toBe("two")
})

test("UDP, too", async () => {
  await using own = await UdpTarget.start(() => ["own"])
  await using other = await UdpTarget.start(() => ["other"])
  await streams.apply({
    backends: {
      set: [own, other].map((target, at) => ({
        name: `udp-${at}`,
        endpoints: [{ address: "127.0.0.1", port: target.address.split(":")[1] }],
      })),
    },
    streams: {
      set: [
        { name: `udp:127.0.0.2:${streams.tcp}`, backend: "udp-0" },
        { name: `udp:${streams.tcp}`, backend: "udp-1" },
      ],
    },
  })
  for (const [host, name] of [
    ["127.0.0.2", "own"],
    ["127.0.0.3", "other"],
  ] as const) {
    using client = new UdpClient(streams.tcp, host)
    expect(await client.ask("?")).toEqual([name])
  }
})

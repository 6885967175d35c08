// Routes outlive reloads; workers that are about to exit go on with what they can serve.
import { connect, type Socket } from "node:net"
import { expect, test } from "vitest"
import { answering, confOf, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { memoryBytesOf } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"

const before = answering("before", "before $proxy_upstream_name $pid")
const after = answering("after", "after $proxy_upstream_name $pid")

/** Half a request: its worker cannot exit before the rest came. */
function begin(port: number): Socket {
  const socket = connect(port, "127.0.0.1")
  socket.write("GET / HTTP/1.1\r\n")
  return socket
}

async function rest(socket: Socket, host: string): Promise<string> {
  let text = ""
  socket.on("data", (chunk) => {
    text += chunk
  })
  socket.write(`Host: ${host}\r\nConnection: close\r\n\r\n`)
  return until("an answer", () => /\r\n\r\n(.+)$/s.exec(text)?.[1]?.trim())
}

async function reload(ingress: Ingress, locations: string): Promise<void> {
  const writer = await zoneWriter()
  await ingress.nginx.reload((site) => confOf(site, writer, { locations }))
}

test("routes that were written before a reload are found after it, with new locations", async () => {
  await using ingress = await startIngress({ locations: before })
  await ingress.route("a.test", [{ location: "before", backend: "a" }])
  await ingress.route("b.test", [{ location: "after", backend: "b" }])
  expect(await ingress.ask("a.test")).toMatch(/^before a/)
  expect(await ingress.ask("b.test")).toBe("503")
  await reload(ingress, before + after)
  expect(await ingress.ask("a.test")).toMatch(/^before a/)
  expect(await ingress.ask("b.test")).toMatch(/^after b/)
})

test("a worker that is about to exit keeps the older route when the new one's location is not its own", async () => {
  await using ingress = await startIngress({ locations: before })
  await ingress.route("a.test", [{ location: "before", backend: "old" }])
  const [worker] = ingress.nginx.workers()
  expect(await ingress.ask("a.test")).toBe(`before old ${worker}`)

  const first = begin(ingress.port)
  const second = begin(ingress.port)
  // Until the worker has accepted both: it answers a later connection after them.
  expect(await ingress.ask("a.test")).toBe(`before old ${worker}`)
  await reload(ingress, before + after)
  await ingress.route("a.test", [{ location: "after", backend: "new" }])
  expect(await rest(first, "a.test")).toBe(`before old ${worker}`)
  expect(await ingress.ask("a.test")).toMatch(/^after new/)
  // What it can serve, it takes over.
  await ingress.route("a.test", [{ location: "before", backend: "newer" }])
  expect(await rest(second, "a.test")).toBe(`before newer ${worker}`)
})

test("memory of old configurations is given back", async () => {
  const many = Array.from({ length: 300 }, (_, n) => answering(`p${n}`, "x")).join("\n")
  await using ingress = await startIngress({ locations: before + many })
  await ingress.route("a.test", [{ location: "before", backend: "b", proxyReadTimeoutMs: 1000 }])
  const reloads = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      await reload(ingress, before + many)
      expect(await ingress.ask("a.test")).toMatch(/^before b/)
    }
    return memoryBytesOf(ingress.nginx.pid)
  }
  const early = await reloads(4)
  expect((await reloads(8)) - early).toBeLessThan(200_000)
  expect(ingress.nginx.errorLog()).not.toMatch(/\[alert\]|\[crit\]|signal 11/)
})

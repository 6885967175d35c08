// Datagrams of more addresses than a worker has connections; bench/udp-flood.ts sends those of a million.
import { createSocket } from "node:dgram"
import { expect, test } from "vitest"
import { startStreams, UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { patienceMs, until } from "../../../harness/until.ts"

const addresses = 6000
const atOnce = 100

/** One datagram from the nth address of 127.1.0.0/16, whose client waits for nothing. */
function datagram(port: number, nth: number): Promise<void> {
  const socket = createSocket("udp4")
  return new Promise((resolve, reject) => {
    socket.bind(0, `127.1.${nth >> 8}.${nth & 255}`, () => {
      socket.send("?", port, "127.0.0.1", (error) => {
        socket.close()
        if (error) reject(error)
        else resolve()
      })
    })
  })
}

test("they get no more than its connections; who had a session before has it on, and when theirs are over others are served", async () => {
  await using streams = await startStreams({ workers: 1 })
  await using answering = await UdpTarget.start(() => ["a"])
  await using silent = await UdpTarget.start(() => [])
  const serve = (to: UdpTarget, timeoutMs: number) =>
    streams.serve("udp", [to.address], { stream: { proxy_timeout_ms: timeoutMs } })
  await serve(answering, 10 * patienceMs)
  using before = new UdpClient(streams.tcp)
  expect(await before.ask("?")).toEqual(["a"])

  await serve(silent, 10_000)
  let sent = 0
  await until("all connections to be taken", async () => {
    await Promise.all(Array.from({ length: atOnce }, (_, nth) => datagram(streams.tcp, sent + nth)))
    sent += atOnce
    return sent >= addresses && streams.nginx.errorLog().includes("worker_connections are not enough")
  })
  expect(await before.ask("?")).toEqual(["a"])

  await until("their sessions to end", async () => {
    // As long as there is no connection left, nobody can ask.
    const counted = await streams.counted(`udp:${streams.tcp}`).catch(() => undefined)
    return counted !== undefined && counted.sessions - counted.ended <= 1
  })
  await serve(answering, patienceMs)
  using after = new UdpClient(streams.tcp)
  expect(await after.ask("?")).toEqual(["a"])
})

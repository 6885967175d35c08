// Datagrams of more addresses than a worker has connections; bench/udp-flood.ts sends those of a million.
import { createSocket } from "node:dgram"
import { expect, test } from "vitest"
import { startStreams, UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"

/** Many times the connections of a worker; what the kernel drops before the worker takes it counts for nothing. */
const addresses = 60_000
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
  const isFull = () => streams.nginx.errorLog().includes("worker_connections are not enough")
  await streams.serve("udp", [answering.address])
  using before = new UdpClient(streams.tcp)
  expect(await before.ask("?")).toEqual(["a"])

  // An answer ends a session, so that no clock does.
  await streams.serve("udp", [silent.address], { stream: { responses: 1 } })
  for (let sent = 0; sent < addresses && !isFull(); sent += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, nth) => datagram(streams.tcp, sent + nth)))
  expect(isFull()).toBe(true)
  expect(await before.ask("?")).toEqual(["a"])

  silent.answerAll("b")
  // As long as there is no connection left, nobody can post either.
  const serve = () => streams.serve("udp", [answering.address])
  await until("their sessions to end", () =>
    serve().then(
      () => true,
      () => false,
    ),
  )
  using after = new UdpClient(streams.tcp)
  await until("others to be served", async () => {
    await after.send("?")
    return after.answers.length > 0
  })
})

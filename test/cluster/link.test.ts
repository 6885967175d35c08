// The network of the tests itself: what happens to a connection through it.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { until } from "../../harness/until.ts"
import { staysFor } from "../support/clock.ts"
import { type Link, startLink } from "./support/link.ts"

let link: Link
/** Says back what it hears. */
const server = createServer({ allowHalfOpen: true }, (socket) => socket.on("error", () => {}).pipe(socket))
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  link = await startLink((server.address() as AddressInfo).port)
})
afterEach(async () => {
  await link[Symbol.asyncDispose]()
  await new Promise((resolve) => server.close(resolve))
})

/** A connection through the link, and what came back on it. */
async function dial(): Promise<{ socket: Socket; heard: () => string; error: () => string }> {
  const socket = connect(link.port, link.address)
  let heard = ""
  let error = ""
  socket.setEncoding("utf8").on("data", (text: string) => {
    heard += text
  })
  socket.on("error", (cause: NodeJS.ErrnoException) => {
    error = cause.code ?? ""
  })
  await once(socket, "connect")
  return { socket, heard: () => heard, error: () => error }
}

test("a connection that is cut has heard just so many bytes", async () => {
  const { socket, heard, error } = await dial()
  socket.write("all of it. ")
  await until("the echo", () => heard() === "all of it. ")
  link.resetAfter(4)
  socket.write("half of it")
  await until("the reset", () => error() === "ECONNRESET")
  expect(heard()).toBe("all of it. half")
})

test("without a plug connections end and are refused", async () => {
  const { error } = await dial()
  await link.unplug()
  await until("the reset", () => error() === "ECONNRESET")
  await expect(dial()).rejects.toMatchObject({ code: "ECONNREFUSED" })
  await link.plug()
  const { socket, heard } = await dial()
  socket.end("hello")
  await until("the echo", () => heard() === "hello")
})

test("while packets are lost nothing comes and nobody is told", async () => {
  const { socket, heard, error } = await dial()
  link.vanish()
  socket.write("hello")
  await staysFor(500, () => expect([heard(), error()]).toEqual(["", ""]))
  link.reappear()
  await until("the echo", () => heard() === "hello")
  expect(error()).toBe("")
  socket.destroy()
})

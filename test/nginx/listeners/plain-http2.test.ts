// HTTP/2 without TLS beside HTTP/1.1 on the ports of listeners.
import { once } from "node:events"
import { connect as connectHttp2 } from "node:http2"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { until } from "../../../harness/until.ts"
import { ListenerSite } from "./listener-site.ts"

let site: ListenerSite
let port = 0

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
/** Of HTTP/2: empty settings, as a client sends them first. */
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])

beforeAll(async () => {
  site = await ListenerSite.start("main", "first")
  ;[port = 0] = site.free
  const on = { scheme: "http", port } as const
  await site.serve({ ports: [on], hosts: [{ on, host: "a.test", backend: "first" }] })
})
afterAll(() => site[Symbol.asyncDispose]())

/** The answers to as many requests, on one connection. */
async function byHttp2(to: number, count: number, body?: string): Promise<string[]> {
  const session = connectHttp2(`http://127.0.0.1:${to}`)
  try {
    const answers = Array.from({ length: count }, async () => {
      const method = body === undefined ? "GET" : "POST"
      const stream = session.request({ ":method": method, ":path": "/", ":authority": "a.test" })
      stream.end(body)
      let text = ""
      stream.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
      })
      await once(stream, "end")
      return text
    })
    return await Promise.all(answers)
  } finally {
    session.close()
  }
}

async function opened(): Promise<{ readonly socket: Socket; readonly read: () => Buffer }> {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  socket.setNoDelay(true)
  let read = Buffer.alloc(0)
  socket.on("error", () => {})
  socket.on("data", (piece: Buffer) => {
    read = Buffer.concat([read, piece])
  })
  return { socket, read: () => read }
}

test("a client that begins with HTTP/2 is served by it, others by HTTP/1.1", async () => {
  expect(await byHttp2(port, 20)).toEqual(Array(20).fill("first"))
  expect(await byHttp2(port, 1, "x".repeat(5_000))).toEqual(["first"])
  expect((await ask({ port }, { host: "a.test" })).body).toBe("first")
  expect((await ask({ port }, { host: "a.test", method: "POST", body: "y" })).body).toBe("first")
  expect(await byHttp2(site.ports.http, 1)).toEqual(["main"])
})

test("a beginning in pieces is waited for, and what is none is HTTP/1.1's from its first byte", async () => {
  const { socket, read } = await opened()
  for (const byte of preface) socket.write(byte)
  socket.write(settings)
  await until("settings of the server", () => read().length >= 9)
  expect(read()[3]).toBe(4)
  socket.destroy()
  const other = await opened()
  other.socket.write("P")
  other.socket.write("OST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\nConnection: close\r\n\r\nxy")
  await until("an answer", () => other.read().includes("first"))
  other.socket.destroy()
  const odd = await opened()
  odd.socket.write("PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n")
  await until("a refusal", () => odd.read().length > 0)
  expect(odd.read().toString("latin1")).toMatch(/^HTTP\/1\.1 (400|505)/)
  odd.socket.destroy()
})

test("connections that end before they have said what they are leave nothing behind", async () => {
  for (const text of ["", "P", "PRI * HTTP/2.0\r\n", preface]) {
    const { socket } = await opened()
    socket.end(text)
    await once(socket, "close")
  }
  expect(await byHttp2(port, 1)).toEqual(["first"])
})

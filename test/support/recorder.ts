// A server that keeps the bytes of each request as they came, and a client that sends any bytes.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { patienceMs } from "../../harness/until.ts"

/** Answers each request and keeps what it was: its head, and its body as it was sent, with the framing. Latin-1. */
export class Recorder implements AsyncDisposable {
  readonly requests: string[] = []
  /** The bytes to answer a request with; by default 200. */
  answer: (request: string) => string = () => "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#serve(socket))

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    return this
  }

  /** What has come since the last time. */
  take(): string[] {
    return this.requests.splice(0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, "close")
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    let received = ""
    socket.on("error", () => {})
    socket.once("close", () => this.#sockets.delete(socket))
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text
      for (let length = wholeLength(received); length !== undefined; length = wholeLength(received)) {
        const request = received.slice(0, length)
        received = received.slice(length)
        this.requests.push(request)
        socket.write(this.answer(request), "latin1")
      }
    })
  }
}

/** Length of the first message (a request, or a response to anything but HEAD) with its body; `undefined` as long as some of it is missing. */
function wholeLength(text: string): number | undefined {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const head = text.slice(0, end + 2)
  const length = end + 4 + Number(/\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1] ?? 0)
  if (!/\r\ntransfer-encoding: *chunked\r\n/i.test(head)) return text.length < length ? undefined : length
  const last = text.indexOf("\r\n0\r\n\r\n", end)
  if (text.startsWith("0\r\n\r\n", end + 4)) return end + 9
  return last < 0 ? undefined : last + 7
}

/**
 * Sends bytes over a connection of its own.
 *
 * @param bytes Latin-1
 * @param count of answers to wait for; fewer come when the server closes the connection
 * @returns the statuses of the answers, in order
 */
export async function sendBytes(port: number, bytes: string, count = 1): Promise<number[]> {
  const socket = connect(port, "127.0.0.1")
  const closed = once(socket, "close")
  let received = ""
  const statuses: number[] = []
  let seen = 0
  const enough = new Promise<void>((resolve) => {
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text
      for (let rest = received.slice(seen); ; rest = received.slice(seen)) {
        const length = /^HTTP\/1\.1 1\d\d/.test(rest) ? rest.indexOf("\r\n\r\n") + 4 : wholeLength(rest)
        if (length === undefined || length < 4) return
        statuses.push(Number(rest.slice(9, 12)))
        seen += length
        if (statuses.filter((status) => status >= 200).length >= count) resolve()
      }
    })
  })
  socket.on("error", () => {})
  socket.write(bytes, "latin1")
  await Promise.race([enough, closed, pause(patienceMs, undefined, { ref: false })])
  socket.destroy()
  return statuses
}

// A backend that answers with the head of the request as it came; bytes that are not printable ASCII as `\x0a`.
import { once } from "node:events"
import { createServer, type Server } from "node:net"

export class Echo implements AsyncDisposable {
  readonly #server: Server
  readonly port: number
  constructor(server: Server, port: number) {
    this.#server = server
    this.port = port
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

export async function startEcho(): Promise<Echo> {
  const server = createServer((socket) => {
    let head = Buffer.alloc(0)
    socket.on("error", () => {})
    socket.on("data", (chunk) => {
      // A second answer would be an error that resets the connection, and with it the first one.
      if (socket.writableEnded) return
      head = Buffer.concat([head, chunk])
      if (!head.includes("\r\n\r\n")) return
      socket.end(`HTTP/1.0 200 OK\r\n\r\n${printable(head)}`)
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The backend has no port")
  return new Echo(server, address.port)
}

function printable(bytes: Buffer): string {
  const escaped = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`
  return bytes.toString("latin1").replace(/[^ -~\r\n]/g, escaped)
}

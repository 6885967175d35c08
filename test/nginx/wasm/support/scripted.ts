// Upstreams of raw TCP, for what no HTTP server would do.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { nodeBinary } from "../../../../harness/paths.ts"

/** A server that does with each connection what `handle` says, until it has ended its side, and remembers what it was sent. */
export async function scripted(handle: (socket: Socket, text: string, n: number) => void) {
  let n = 0
  const sockets = new Set<Socket>()
  const received: string[] = []
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      received.push(bytes.toString())
      // The second piece of what is answered already: another answer would be an error that resets the connection, and with it the first one.
      if (socket.writableEnded) return
      handle(socket, bytes.toString(), n++)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const port = (server.address() as AddressInfo).port
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  return { port, received, sockets, [Symbol.asyncDispose]: stop }
}

/** A whole response. */
export const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** A port where connecting takes forever: a process that listens and never accepts, with a full queue. */
export async function neverAccepting() {
  const program = `
    const server = require("node:net").createServer()
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:fs").writeSync(1, server.address().port + "\\n")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const child = spawn(nodeBinary, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  const port = Number(line.toString())
  const waiting = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}))
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, "connect")))
  const stop = async () => {
    for (const socket of waiting) socket.destroy()
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  return { port, [Symbol.asyncDispose]: stop }
}

// An endpoint that ends TLS by a certificate with its own name, and sends back what it gets.
import type { AddressInfo, Socket } from "node:net"
import { createServer } from "node:tls"
import { selfSignedIdentity } from "../../harness/pki.ts"

export interface TlsEcho {
  readonly name: string
  readonly port: number
  /** how many connections it has now */
  open(): number
  stop(): void
}

export async function startTlsEcho(name: string): Promise<TlsEcho> {
  const { chainPem, keyPem } = await selfSignedIdentity({ names: [name] })
  const sockets = new Set<Socket>()
  const server = createServer({ cert: chainPem, key: keyPem }, (socket) => {
    socket.on("error", () => {}).pipe(socket)
  })
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { name, port, open: () => sockets.size, stop }
}

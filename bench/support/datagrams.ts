// Datagrams one after the other, each sent when the one before was answered.
import { createSocket } from "node:dgram"
import { once } from "node:events"

/** So many datagrams of one client. @throws Error when one is not answered */
export async function exchange(port: number, count: number): Promise<void> {
  const socket = createSocket("udp4")
  for (let at = 0; at < count; at += 1) {
    const answered = once(socket, "message", { signal: AbortSignal.timeout(60_000) })
    socket.send("?", port, "127.0.0.1")
    await answered
  }
  socket.close()
}

import { connect } from "node:net"
import { patienceMs } from "../../../../harness/until.ts"

/** Sends bytes as they are and returns everything that came back until the server closed the connection. */
export function rawRequest(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, "127.0.0.1")
  const chunks: Buffer[] = []
  socket.setTimeout(patienceMs, () =>
    socket.destroy(new Error("The server did not close the connection in time")),
  )
  socket.on("data", (chunk) => chunks.push(chunk))
  // Whoever closes before it has read everything resets the connection, which takes nothing from what it has said.
  socket.on("error", (error: NodeJS.ErrnoException) => error.code === "ECONNRESET" || reject(error))
  socket.on("close", () => resolve(Buffer.concat(chunks).toString()))
  socket.cork()
  for (const piece of pieces) socket.write(piece)
  socket.uncork()
  return promise
}

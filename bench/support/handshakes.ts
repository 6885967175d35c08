// TLS handshakes and nothing else: connections that are closed as soon as they stand.
import { connect, type TLSSocket } from "node:tls"

export interface Shape {
  readonly version: "TLSv1.2" | "TLSv1.3"
  /** default: none, the handshake is a full one */
  readonly session?: Buffer
}

/** Node's types do not have it. */
type Naming = TLSSocket & { setServername(name: string): void }

/** One handshake. Throws when a session was to be resumed and was not, or the other way round. */
function shake(port: number, name: string, { version, session }: Shape): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = open(port, name, { version, ...(session && { session }) })
  socket.on("error", reject)
  socket.on("secureConnect", () => {
    const isAsWanted = socket.isSessionReused() === (session !== undefined)
    socket.end()
    socket.on("close", () =>
      isAsWanted ? resolve() : reject(new Error(`A session of ${name} was not as wanted`)),
    )
  })
  return promise
}

/** A session to resume. */
export function sessionOf(port: number, name: string, shape: Shape): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const socket = open(port, name, shape)
  socket.on("error", reject)
  socket.on("session", (session) => {
    resolve(session)
    socket.end()
  })
  // In TLS 1.3 it comes behind the handshake.
  socket.on("secureConnect", () => socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"))
  socket.on("data", () => {})
  return promise
}

/** So many, four at a time; the nth is for the server name `nameOf(n)`. */
export async function shakes(port: number, count: number, nameOf: (n: number) => string, shape: Shape) {
  let next = 0
  const connection = async () => {
    while (next < count) {
      const n = next
      next += 1
      await shake(port, nameOf(n), shape)
    }
  }
  await Promise.all(Array.from({ length: 4 }, connection))
}

function open(port: number, name: string, { version, session }: Shape): TLSSocket {
  const socket = connect({
    port,
    host: "127.0.0.1",
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ...(session && { session }),
  })
  ;(socket as Naming).setServername(name)
  return socket
}

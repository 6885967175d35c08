// An endpoint that speaks whatever it is spoken to, on one port: HTTP/1, HTTP/2 without TLS, and both with TLS.
import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from "node:http"
import {
  createServer as createHttp2,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { keptMs } from "../../harness/http.ts"
import { cert, key, serverNameIn } from "../../harness/tls.ts"

/** How a request came; the answer's body. */
export interface Seen {
  /** counts the endpoint's connections from 1 */
  readonly connection: number
  readonly protocol: "h1" | "h2"
  /** the server name of the handshake, "" for none; absent without TLS */
  readonly tls?: string
  /** whether the handshake took up an earlier session */
  readonly isResumed?: boolean
}

export interface Endpoint extends AsyncDisposable {
  readonly port: number
  /** how many there were so far */
  readonly connections: number
}

/** What the front of the endpoint knows of a connection. */
interface Opened {
  readonly number: number
  readonly serverName: string
}

/** By both ports of the connection that passes it on: one local port may have connections to several servers. */
type Passed = ReadonlyMap<string, Opened>

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

const tlsHandshake = 0x16

/** @param isBroken says by the number of a connection whether it ends at once */
export async function startEndpoint(
  isBroken: (connection: number) => boolean = () => false,
): Promise<Endpoint> {
  const passed = new Map<string, Opened>()
  const servers = await startServers(passed)
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    const number = ++connections
    open.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => open.delete(socket))
    if (isBroken(number)) return void socket.destroy()
    socket.once("data", (first) => {
      const inner = connect(portOf(servers[protocolOf(first)]), "127.0.0.1", () => {
        passed.set(portsOf(inner.localPort, inner.remotePort), { number, serverName: serverNameIn(first) })
        inner.write(first)
        socket.pipe(inner).pipe(socket)
      })
      inner.on("error", () => {})
      inner.once("close", () => socket.destroy())
      socket.once("close", () => inner.destroy())
    })
  })
  await listen(server)
  return {
    port: portOf(server),
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await Promise.all([server, ...Object.values(servers)].map(close))
    },
  }
}

async function startServers(passed: Passed) {
  const answer = (request: Request, response: Response) => {
    const seen = seenIn(request, passed)
    if (seen.protocol === "h2") response.setHeader("content-type", "application/grpc")
    response.end(JSON.stringify(seen))
  }
  const kept = { keepAliveTimeout: keptMs }
  const servers = {
    h1: createHttp1(kept, answer),
    h2: createHttp2(answer),
    // Node's types do not know that it has the timeout, too.
    tls: Object.assign(createSecureServer({ key, cert, allowHTTP1: true }, answer), kept),
  }
  await Promise.all(Object.values(servers).map(listen))
  return servers
}

function seenIn(request: Request, passed: Passed): Seen {
  const socket = request.socket as TLSSocket
  const from = passed.get(portsOf(socket.remotePort, socket.localPort))
  if (from === undefined) throw new Error("A connection that nobody has passed on")
  const { number: connection, serverName: tls } = from
  const protocol = request.httpVersionMajor === 2 ? "h2" : "h1"
  // The socket of a stream is a stand-in that hides what it has.
  const isTls = "stream" in request ? request.stream.session?.encrypted === true : "encrypted" in socket
  return { connection, protocol, ...(isTls && { tls, isResumed: socket.isSessionReused() }) }
}

const portsOf = (from: number | undefined, to: number | undefined) => `${from} to ${to}`

function protocolOf(first: Buffer): "h1" | "h2" | "tls" {
  if (first[0] === tlsHandshake) return "tls"
  return first.toString("latin1").startsWith("PRI * HTTP/2.0") ? "h2" : "h1"
}

function portOf(server: Pick<Server, "address">): number {
  return (server.address() as AddressInfo).port
}

function listen(server: Pick<Server, "listen">): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
}

function close(server: Pick<Server, "close">): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

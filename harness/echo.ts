// An HTTP server that says what it was asked, over TLS if it has a certificate, and answers as told.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http"
import { createServer as createTlsServer, type ServerOptions } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { setTimeout as setTimeoutPromise } from "node:timers/promises"
import type { TLSSocket } from "node:tls"
import { keptMs } from "./http.ts"

/** A request as it came. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** absent: plain HTTP. Name in the client's certificate, if it showed one, and what it asked for by SNI */
  readonly tls?: { readonly client: string | undefined; readonly serverName: string | false }
}

export interface Told {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  /** before the answer */
  readonly delayMs?: number
  /** the answer waits for it */
  readonly until?: () => boolean
}

export class Echo implements AsyncDisposable {
  /** All requests, the oldest first. */
  readonly asked: Asked[] = []
  /** What to answer; by default the request as JSON. */
  answer: (asked: Asked) => Told = () => ({})
  /** How many connections there were. */
  connections = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(tls?: ServerOptions) {
    const onRequest = (request: IncomingMessage, response: Parameters<typeof respond>[0]) =>
      void this.#serve(request, response).catch(() => response.destroy())
    const options = { ...tls, keepAliveTimeout: keptMs }
    this.#server = tls === undefined ? createServer(options, onRequest) : createTlsServer(options, onRequest)
    this.#server.on("upgrade", (_, socket) => {
      socket.on("error", () => {})
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
      socket.pipe(socket)
    })
    this.#server.on("connection", (socket) => {
      this.connections += 1
      this.#sockets.add(socket)
      socket.once("close", () => this.#sockets.delete(socket))
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** How many connections there are. */
  get open(): number {
    return this.#sockets.size
  }

  /** The latest request. */
  get last(): Asked {
    const last = this.asked.at(-1)
    if (last === undefined) throw new Error("Nobody asked yet")
    return last
  }

  /** Closes all connections; waiting clients get no answer. */
  reset(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: Parameters<typeof respond>[0]): Promise<void> {
    const asked = { ...(await askedOf(request)), ...tlsOf(request.socket) }
    this.asked.push(asked)
    const told = this.answer(asked)
    while (told.until?.() === false) await setTimeoutPromise(5)
    respond(response, { body: JSON.stringify(asked), ...told })
  }
}

async function askedOf(request: IncomingMessage): Promise<Asked> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const { method = "", url = "", httpVersion, headers } = request
  return { method, url, httpVersion, headers, body: Buffer.concat(pieces).toString() }
}

function tlsOf(socket: Socket): Pick<Asked, "tls"> {
  if (!("getPeerCertificate" in socket)) return {}
  const { servername } = socket as TLSSocket & { servername: string | false }
  const { subject } = (socket as TLSSocket).getPeerCertificate()
  return { tls: { client: subject?.CN?.toString(), serverName: servername } }
}

function respond(
  response: import("node:http").ServerResponse,
  { status = 200, headers = {}, body, delayMs = 0 }: Told,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = status
  setTimeout(() => response.end(body), delayMs).unref()
}

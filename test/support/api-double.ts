import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createTlsServer, type ServerOptions } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { keptMs } from "../../harness/http.ts"
import { freePorts } from "../../harness/ports.ts"

/** Stands in for an API server where a real one cannot be made to misbehave. */
export class ApiDouble implements AsyncDisposable {
  /** what answers; may be replaced */
  answer: RequestListener
  /** connections that were ever opened */
  readonly sockets: Socket[] = []
  /** requests that ever came */
  requests = 0
  readonly #server: Server
  readonly #scheme: "http" | "https"

  private constructor(answer: RequestListener, tls: ServerOptions | undefined) {
    this.answer = answer
    const listener: RequestListener = (request, response) => {
      this.requests += 1
      this.answer(request, response)
    }
    const options = { ...tls, keepAliveTimeout: keptMs }
    this.#server = tls === undefined ? createServer(options, listener) : createTlsServer(options, listener)
    this.#scheme = tls === undefined ? "http" : "https"
    this.#server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) =>
      this.sockets.push(socket),
    )
  }

  /** @param tls makes it speak HTTPS */
  static async start(answer: RequestListener, tls?: ServerOptions): Promise<ApiDouble> {
    const double = new ApiDouble(answer, tls)
    // Its own when it has ended, too: nobody else is heard in its place.
    const [port] = await freePorts(1)
    double.#server.listen(port, "127.0.0.1")
    await once(double.#server, "listening")
    return double
  }

  get url(): URL {
    const { port } = this.#server.address() as AddressInfo
    return new URL(`${this.#scheme}://127.0.0.1:${port}`)
  }

  /** Connections that are open now. */
  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, "close")
  }
}

// A pod whose answers take long: a download that goes on until it is told to end, and a connection that is upgraded, as by a WebSocket.
import { once } from "node:events"
import { createServer, request, type Server } from "node:http"
import type { Duplex } from "node:stream"
import { podPort } from "../../../harness/cluster/pods.ts"
import { keptMs } from "../../../harness/http.ts"
import { moment } from "../../support/clock.ts"

export class EndlessPod implements AsyncDisposable {
  readonly address: string
  readonly #server: Server
  #finish: () => void = () => {}

  private constructor(address: string) {
    this.address = address
    this.#server = createServer({ keepAliveTimeout: keptMs }, (_, response) => {
      const piece = setInterval(() => response.write("piece "), 100)
      this.#finish = () => {
        clearInterval(piece)
        response.end("end")
      }
    })
    this.#server.on("upgrade", (_, socket: Duplex) => {
      socket.on("error", () => {})
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n")
    })
  }

  static async start(address: string): Promise<EndlessPod> {
    const pod = new EndlessPod(address)
    pod.#server.listen(podPort, address)
    await once(pod.#server, "listening")
    return pod
  }

  /** Ends the download that was begun last. */
  finish(): void {
    this.#finish()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Begins a WebSocket. @returns resolves with the time at which it is closed, a `moment` */
export async function webSocket(host: string, name: string): Promise<{ readonly closedMs: Promise<number> }> {
  const headers = { host: name, connection: "upgrade", upgrade: "websocket" }
  const asked = request({ host, port: 80, headers, agent: false }).end()
  const [, socket] = (await once(asked, "upgrade")) as [unknown, Duplex]
  socket.on("error", () => {})
  socket.resume()
  return { closedMs: once(socket, "close").then(moment) }
}

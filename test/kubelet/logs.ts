// What a kubelet answers to the API server when somebody reads the logs of a Pod. Lines have no times here: whoever asks for those since a moment
// gets all.
import { once } from "node:events"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { keptMs } from "../../harness/http.ts"

interface Logged {
  /** `namespace/name` */
  readonly name: string
  log(): string
}

export class LogServer implements AsyncDisposable {
  readonly port: number
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  /** @param serving certificate and key that it shows, PEM */
  static async start(
    address: string,
    serving: { readonly cert: string; readonly key: string },
    pods: () => readonly Logged[],
  ): Promise<LogServer> {
    const server = createServer({ ...serving, keepAliveTimeout: keptMs }, ({ url = "" }, response) => {
      const [, call, namespace, name] = new URL(url, "https://node").pathname.split("/")
      const pod = pods().find((one) => one.name === `${namespace}/${name}`)
      const isKnown = call === "containerLogs" && pod !== undefined
      response.writeHead(isKnown ? 200 : 404, { "content-type": "text/plain" }).end(isKnown ? pod.log() : "")
    })
    server.listen(0, address)
    await once(server, "listening")
    return new LogServer(server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, "close")
  }
}

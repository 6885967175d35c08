// Stands in for the API server: ends TLS with its certificate, hands requests on, or answers some of them itself. A client has to show a
// token: a client's certificate does not come through.
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, type Server, request as start } from "node:https"
import type { AddressInfo } from "node:net"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import { keptMs } from "../../../harness/http.ts"

export interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export class Gate implements AsyncDisposable {
  /** Undefined lets the request through. */
  refuse: (request: IncomingMessage) => Refusal | undefined = () => undefined
  /** `METHOD path?query` of every request, the oldest first. */
  readonly asked: string[] = []
  readonly #target: ApiServer
  readonly #server: Server

  constructor(target: ApiServer) {
    this.#target = target
    this.#server = createServer({ ...target.serving, keepAliveTimeout: keptMs }, (request, response) =>
      this.#serve(request, response),
    )
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Ends all connections; new ones are welcome. */
  reset(): void {
    this.#server.closeAllConnections()
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(`${request.method} ${request.url}`)
    const refusal = this.refuse(request)
    if (refusal === undefined) this.#handOn(request, response)
    else response.writeHead(refusal.status, refusal.headers).end(refusal.body)
  }

  #handOn(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request
    const target = { host: "127.0.0.1", port: this.#target.port, ca: this.#target.ca, agent: false } as const
    const onward = start({ ...target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      // A watch begins with its head, long before there is anything to tell.
      response.flushHeaders()
      answer.on("error", () => response.destroy()).pipe(response)
    })
    onward.on("error", () => response.destroy())
    response.once("close", () => onward.destroy())
    request.pipe(onward)
  }
}

export function startGate(target: ApiServer): Promise<Gate> {
  return new Gate(target).start()
}

/** As the API server answers when it has too much to do. */
export function tooMany(retryAfterSeconds: number): Refusal {
  const status = { apiVersion: "v1", kind: "Status", status: "Failure", reason: "TooManyRequests", code: 429 }
  const headers = { "content-type": "application/json", "retry-after": String(retryAfterSeconds) }
  return { status: 429, headers, body: JSON.stringify(status) }
}

// Small HTTP servers, on loopback unless told otherwise, that answer with their own name, and misbehave when told to.
import { createServer, type Server, type ServerResponse } from "node:http"
import { keptMs } from "./http.ts"
import { freePorts } from "./ports.ts"

/**
 * `refuse`: the port is closed. `reset`: the connection is closed without an answer. `hang`: no answer ever. `hold`: none
 * until it behaves in another way. `error`: 500 with the name. A number: the answer comes that many milliseconds late.
 */
export type Fault = "refuse" | "reset" | "hang" | "hold" | "error" | number

export class Backend implements AsyncDisposable {
  readonly name: string
  readonly address: string
  /** How many requests arrived. */
  requests = 0
  /** How many of them are under way, and how many were at the same time at most; the latter may be set back. */
  running = 0
  maxRunning = 0
  /** Path and arguments of the latest request, as they came. */
  lastUrl = ""
  /** More headers of its answers. */
  responseHeaders: Readonly<Record<string, string>> = {}
  /** Header lines of the latest request, as they came. */
  lastHeaders: Readonly<Record<string, string | string[] | undefined>> = {}
  #server: Server
  #port: number
  #fault: Fault | undefined
  #held: (() => void)[] = []

  /** @param port 0: a free one */
  constructor(name: string, address = "127.0.0.1", port = 0) {
    this.name = name
    this.address = address
    this.#port = port
    this.#server = this.#create()
  }

  /** Stays the same through faults. */
  get port(): number {
    return this.#port
  }

  /** This backend as the control API's endpoint. */
  get endpoint(): { address: string; port: string } {
    return { address: this.address, port: String(this.#port) }
  }

  async start(): Promise<this> {
    // While it refuses connections, nobody else may have its port.
    if (this.#port === 0) [this.#port = 0] = await freePorts(1)
    await this.#listen()
    return this
  }

  /** Behaves so from now on; `undefined` heals it. */
  async fault(fault: Fault | undefined): Promise<void> {
    const wasRefusing = this.#fault === "refuse"
    this.#fault = fault
    for (const answer of this.#held.splice(0)) answer()
    if (fault === "refuse" && !wasRefusing) await this.stop()
    if (fault !== "refuse" && wasRefusing) {
      this.#server = this.#create()
      await this.#listen()
    }
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  #create(): Server {
    return createServer({ keepAliveTimeout: keptMs }, (request, response) => {
      this.#count(response)
      this.lastUrl = request.url ?? ""
      this.lastHeaders = request.headers
      response.setHeaders(
        new Map(Object.entries({ server: "node", "x-backend": this.name, ...this.responseHeaders })),
      )
      request.resume().on("end", () => this.#answer(response))
    })
  }

  #count(response: ServerResponse): void {
    this.requests += 1
    this.running += 1
    this.maxRunning = Math.max(this.maxRunning, this.running)
    response.once("close", () => {
      this.running -= 1
    })
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(this.#port, this.address, resolve)
    })
  }

  #answer(response: ServerResponse): void {
    const fault = this.#fault
    if (fault === "hang") return
    if (fault === "hold") {
      this.#held.push(() => this.#answer(response))
      return
    }
    if (fault === "reset") {
      response.socket?.destroy()
      return
    }
    if (typeof fault === "number") {
      setTimeout(() => response.end(this.name), fault)
      return
    }
    response.statusCode = fault === "error" ? 500 : 200
    response.end(this.name)
  }
}

/** Several backends; all of them stop together. */
export class Backends extends Array<Backend> implements AsyncDisposable {
  async stop(): Promise<void> {
    await Promise.all([...this].map((backend) => backend.stop()))
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/** Starts one backend for each name. */
export async function startBackends(...names: string[]): Promise<Backends> {
  const backends = new Backends()
  for (const name of names) backends.push(await new Backend(name).start())
  return backends
}

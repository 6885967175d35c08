import { Failure } from "../../support/failure.ts"
import { Agent, request } from "../../support/http.ts"

/** What the control server answered. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** of a list in parts: the cursor to go on with; absent behind the last part */
  readonly next?: string
}

/** Longer than any answer takes; a worker may first have to finish a full part of another change. */
const timeoutMs = 10_000

/** One of several answers that come to one text. */
export interface Page extends Omit<Answer, "body"> {
  /** as it came: to join what is only handed on is memory of which V8 thinks that it has to be collected */
  readonly chunks: readonly Buffer[]
}

/** HTTP to nginx's control server over its unix socket, one request at a time on one kept connection; pages have one of their own. */
export class ControlClient {
  #socketPath: string
  #agent = newAgent()
  #pageAgent = newAgent()

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  get socketPath(): string {
    return this.#socketPath
  }

  get(path: string): Promise<Answer> {
    return this.#send("GET", path, undefined, this.#agent)
  }

  /** Does not wait for what is posted. @throws Failure `control-lost` */
  page(path: string): Promise<Page> {
    return this.#exchange("GET", path, undefined, this.#pageAgent)
  }

  /** On a connection of its own, so that any worker that accepts connections may answer. */
  getAnew(path: string): Promise<Answer> {
    return this.#send("GET", path, undefined, false)
  }

  /** Likewise. */
  postAnew(path: string, body: string): Promise<Answer> {
    return this.#send("POST", path, body, false)
  }

  /** Likewise. */
  deleteAnew(path: string): Promise<Answer> {
    return this.#send("DELETE", path, undefined, false)
  }

  post(path: string, body: string): Promise<Answer> {
    return this.#send("POST", path, body, this.#agent)
  }

  /** Drops the kept connection: another nginx has taken the place of the one that it leads to. */
  reconnect(): void {
    this.close()
    this.#agent = newAgent()
    this.#pageAgent = newAgent()
  }

  /** Goes on at another socket. */
  moveTo(socketPath: string): void {
    this.#socketPath = socketPath
    this.reconnect()
  }

  close(): void {
    this.#agent.destroy()
    this.#pageAgent.destroy()
  }

  async #send(method: string, path: string, body: string | undefined, agent: Agent | false): Promise<Answer> {
    const { chunks, ...answer } = await this.#exchange(method, path, body, agent)
    return { ...answer, body: Buffer.concat(chunks).toString() }
  }

  /** @throws Failure `control-lost` when no whole answer came; whether the request took effect is then not known */
  #exchange(method: string, path: string, body: string | undefined, agent: Agent | false): Promise<Page> {
    const headers = {
      host: "control",
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
    }
    return new Promise((resolve, reject) => {
      const lost = (error: Error) => reject(lostFailure(method, path, error))
      const options = { socketPath: this.#socketPath, method, path, headers, agent, timeout: timeoutMs }
      const sent = request(options, (response) => {
        const chunks: Buffer[] = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", lost)
        response.once("end", () => {
          const next = response.headers["x-wick-next"]
          // That worker cannot answer; the next request goes to any of them.
          if (response.statusCode === 500 && agent === this.#agent) this.reconnect()
          resolve({ status: response.statusCode ?? 0, chunks, ...(typeof next === "string" && { next }) })
        })
      })
      sent.once("timeout", () => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
      sent.once("error", lost)
      sent.end(body)
    })
  }
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

function lostFailure(method: string, path: string, cause: Error): Failure {
  return new Failure("control-lost", `Cannot ${method} ${path} on nginx's control socket: ${cause.message}`, {
    cause,
  })
}

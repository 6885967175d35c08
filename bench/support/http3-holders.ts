// Clients that keep connections of HTTP/3 and ask on them now and then, and others that come anew, with what became of all of them.
import { setTimeout as pause } from "node:timers/promises"
import { Http3Clients, type Http3Connection, type Http3Target } from "../../harness/http3.ts"

export interface HttpCounts {
  answered: number
  /** the server has closed a connection with a word of it, and nothing was under way */
  closed: number
  /** requests that met a connection which the server was closing, and has closed with a word of it (no error) */
  turnedAway: number
  /** requests without an answer in time, or whose connection broke */
  lost: number
  /** handshakes that were completed */
  handshakes: number
  /** those that were not, in time */
  hung: number
}

export interface HoldersOptions {
  readonly target: Http3Target
  readonly connections: number
  /** between two requests on a connection */
  readonly pauseMs: number
  /** some of the connections ask for this path instead, whose answer takes its time */
  readonly slow?: { readonly path: string; readonly connections: number }
}

const handshakeMs = 5000
const answerMs = 10_000

const none = (): HttpCounts => ({
  answered: 0,
  closed: 0,
  turnedAway: 0,
  lost: 0,
  handshakes: 0,
  hung: 0,
})

/** In order: QUIC's NO_ERROR, and that of HTTP/3. */
const noError = /"code": (0|256)\b/

export class Http3Holders implements AsyncDisposable {
  readonly counts: HttpCounts = none()
  /** each kind of failure with how often it was seen */
  readonly reasons = new Map<string, number>()
  readonly #clients = new Http3Clients()
  readonly #options: HoldersOptions
  readonly #work: Promise<void>[] = []
  #open = 0
  #isOver = false

  constructor(options: HoldersOptions) {
    this.#options = options
  }

  /** Connections that are open. */
  get open(): number {
    return this.#open
  }

  /** Makes all connections, and one more that is made anew for each request. */
  start(): void {
    const { connections, slow } = this.#options
    for (let nth = 0; nth < connections; nth += 1)
      this.#work.push(this.#keep(slow !== undefined && nth < slow.connections ? slow.path : "/"))
    this.#work.push(this.#comeAnew())
  }

  /** What has been counted since the last call. */
  take(): HttpCounts {
    const { counts } = this
    const taken = { ...counts }
    Object.assign(counts, none())
    return taken
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.#clients[Symbol.dispose]()
  }

  async #keep(path: string): Promise<void> {
    await pause(Math.random() * this.#options.pauseMs)
    while (!this.#isOver) {
      const connection = await this.#connect()
      if (connection !== undefined) await this.#use(connection, path)
    }
  }

  async #use(connection: Http3Connection, path: string): Promise<void> {
    this.#open += 1
    while (!this.#isOver && (await this.#ask(connection, path)))
      await pause(this.#options.pauseMs * (0.5 + Math.random()))
    this.#open -= 1
    await connection.close().catch(() => undefined)
  }

  async #comeAnew(): Promise<void> {
    while (!this.#isOver) {
      const connection = await this.#connect()
      if (connection !== undefined) {
        await this.#ask(connection, "/")
        await connection.close().catch(() => undefined)
      }
      await pause(20)
    }
  }

  async #connect(): Promise<Http3Connection | undefined> {
    try {
      const connection = await this.#clients.connect({ ...this.#options.target, timeoutMs: handshakeMs })
      this.counts.handshakes += 1
      return connection
    } catch (error) {
      this.counts.hung += 1
      this.#note("handshake", error)
      return undefined
    }
  }

  /** @returns whether the connection can be used again */
  async #ask(connection: Http3Connection, path: string): Promise<boolean> {
    try {
      const { status } = await connection.ask({ path, timeoutMs: answerMs })
      if (status === 200) this.counts.answered += 1
      else this.#lose(new Error(`status ${status}`))
      return true
    } catch (error) {
      if (String(error).includes("EOFError")) this.counts.closed += 1
      else if (noError.test(String(error))) this.counts.turnedAway += 1
      else this.#lose(error)
      return false
    }
  }

  #lose(error: unknown): void {
    this.counts.lost += 1
    this.#note("request", error)
  }

  #note(what: string, error: unknown): void {
    const reason = `${what}: ${String(error)}`
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
  }
}

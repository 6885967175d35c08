// A load client over HTTP/2 with TLS: as load.ts, each connection kept until the server says goodbye.
import { setTimeout } from "node:timers/promises"
import type { Answer, Question } from "../../harness/http.ts"
import { count, type Load, type LoadResult, newResult } from "../../harness/load.ts"
import { TlsClient, type TlsClientOptions } from "../../harness/tls-client.ts"

export interface Http2LoadOptions extends Omit<TlsClientOptions, "protocol"> {
  readonly port: number
  readonly connections: number
  readonly question: (n: number) => Question
  /** Each connection waits so long between an answer and its next question. */
  readonly pauseMs: number
}

/** Starts asking at once. */
export function startHttp2Load(options: Http2LoadOptions): Load {
  const result = newResult()
  let stopped = false
  const connection = async () => {
    await using customer = new Customer(options, result)
    while (!stopped) {
      await customer.buy()
      await setTimeout(options.pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: options.connections }, connection)).then(() => result)
  const stop = () => {
    stopped = true
    return done
  }
  return { result, done, stop }
}

class Customer implements AsyncDisposable {
  readonly #options: Http2LoadOptions
  readonly #result: LoadResult
  #client: TlsClient | undefined

  constructor(options: Http2LoadOptions, result: LoadResult) {
    this.#options = options
    this.#result = result
  }

  async buy(): Promise<void> {
    const question = this.#options.question(this.#result.requests)
    this.#result.requests += 1
    const startedMs = performance.now()
    try {
      const answer = await this.#twiceIfRefused(question)
      count(this.#result.statuses, answer.status)
      if (answer.status === 200) count(this.#result.answers, answer.body)
    } catch (error) {
      this.#result.lost.push({ error: String(error), startedMs, endedMs: performance.now() })
    }
  }

  async #twiceIfRefused(question: Question): Promise<Answer> {
    try {
      return await (await this.#connected()).ask(question)
    } catch (error) {
      if (!isUnprocessed(error)) throw error
      this.#result.resent += 1
      await this[Symbol.asyncDispose]()
      return (await this.#connected()).ask(question)
    }
  }

  async #connected(): Promise<TlsClient> {
    if (this.#client?.isClosed) await this[Symbol.asyncDispose]()
    this.#client ??= await TlsClient.connect(this.#options.port, { ...this.#options, protocol: "h2" })
    return this.#client
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.[Symbol.asyncDispose]()
    this.#client = undefined
  }
}

/** The server said that it had not begun with it. Source: RFC 9113 8.7, streams above the last one of GOAWAY, and REFUSED_STREAM. */
function isUnprocessed(error: unknown): boolean {
  const { code = "", message = "" } = error as NodeJS.ErrnoException
  return code === "ERR_HTTP2_GOAWAY_SESSION" || message.includes("NGHTTP2_REFUSED_STREAM")
}

import type { IncomingMessage } from "node:http"
import { aborted } from "../../../support/abort.ts"
import type { Api, ApiRequest } from "../api.ts"
import { Patience } from "../patience.ts"
import { Connections } from "./connections.ts"
import type { Access, Credentials } from "./credentials.ts"
import { failureOf, Garbled, Refused } from "./failures.ts"
import { Lines, parseJson } from "./lines.ts"
import { readRefusal } from "./refusal.ts"

export interface ClientOptions {
  readonly access: Access
  /** `wick/1.2.3` */
  readonly userAgent: string
  readonly limits?: Limits
}

/** How long nothing may come, milliseconds. */
export interface Limits {
  /** from the request to the head of its answer, then between two pieces of it */
  readonly answerMs: number
  /** of a watch, once it has begun */
  readonly watchMs: number
}

/** API servers keep requests in a queue for 15 s at most (priority and fairness) and send a bookmark every one to two minutes. */
const usual: Limits = { answerMs: 30_000, watchMs: 180_000 }

/** A list that comes as a whole has perhaps 100 MB. */
const maxBytes = 2 ** 28

/** Talks to the API server over HTTP/1.1, in JSON. */
export class Client implements Api {
  readonly #access: Access
  readonly #limits: Limits
  readonly #connections: Connections

  constructor({ access, userAgent, limits = usual }: ClientOptions) {
    this.#access = access
    this.#limits = limits
    this.#connections = new Connections(access.server, userAgent)
  }

  async send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    using patience = new Patience(signal)
    try {
      const answer = await this.#open(request, false, patience)
      return parseJson(await readAll(pieces(answer, this.#limits.answerMs, patience)))
    } catch (error) {
      throw failureOf(request, error, patience.signal)
    }
  }

  async *watch(request: ApiRequest, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
    using patience = new Patience(signal)
    try {
      yield* groups(await this.#open(request, true, patience), this.#limits.watchMs, patience)
    } catch (error) {
      throw failureOf(request, error, patience.signal)
    }
  }

  /** Ends what is idle; what runs is for its signal to end. */
  close(): void {
    this.#connections.close()
  }

  /** Credentials that are refused are asked for once more: they may have been renewed a moment ago. */
  async #open(request: ApiRequest, isEndless: boolean, patience: Patience): Promise<IncomingMessage> {
    patience.start(this.#limits.answerMs)
    const used = await this.#credentials(patience)
    const answer = await this.#connections.open(request, used, isEndless, patience.signal)
    if (answer.statusCode !== 401) return accepted(answer)
    await readAll(answer)
    this.#access.forget(used)
    const renewed = await this.#credentials(patience)
    return accepted(await this.#connections.open(request, renewed, isEndless, patience.signal))
  }

  /** The command that gives them may take its time, but not ours. */
  #credentials({ signal }: Patience): Promise<Credentials> {
    const givenUp = aborted(signal).then(() => signal.throwIfAborted())
    return Promise.race([this.#access.credentials(), givenUp as Promise<never>])
  }
}

/** @throws Refused */
async function accepted(answer: IncomingMessage): Promise<IncomingMessage> {
  const { statusCode = 0, headers } = answer
  if (statusCode >= 200 && statusCode < 300) return answer
  throw new Refused(readRefusal(statusCode, headers, (await readAll(answer)).toString("utf8")))
}

/** What each piece of the answer completes, after an empty group. Who stops listening ends the answer. */
async function* groups(
  answer: IncomingMessage,
  silenceMs: number,
  patience: Patience,
): AsyncGenerator<readonly unknown[]> {
  const lines = new Lines()
  try {
    patience.rest()
    yield []
    for await (const piece of pieces(answer, silenceMs, patience)) {
      const values = lines.take(piece)
      if (values.length > 0) yield values
    }
    lines.end()
  } finally {
    answer.destroy()
  }
}

/** The body as it comes. Patience runs only while the server is waited for, not while others do something with a piece. */
async function* pieces(
  answer: IncomingMessage,
  silenceMs: number,
  patience: Patience,
): AsyncGenerator<Buffer> {
  patience.start(silenceMs)
  for await (const piece of answer) {
    patience.rest()
    yield piece
    patience.start(silenceMs)
  }
}

/** @throws Garbled when there is no end of it */
async function readAll(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Garbled("its answer does not end")
    read.push(piece)
  }
  return Buffer.concat(read)
}

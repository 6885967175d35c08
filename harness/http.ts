import { type Agent, type ClientRequest, type IncomingHttpHeaders, request as start } from "node:http"
import { patienceMs } from "./until.ts"

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body as JSON; throws what JSON.parse throws. */
  json(): unknown
}

export interface Target {
  readonly port?: number
  /** default 127.0.0.1 */
  readonly host?: string
  readonly socketPath?: string
  readonly agent?: Agent
}

export interface Question {
  readonly method?: string
  readonly path?: string
  /** The Host header. */
  readonly host?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array
  /** default: as long as anything may take */
  readonly timeoutMs?: number
}

/**
 * For `keepAliveTimeout`: longer than nginx keeps connections that wait (60 s). Node closes its side after five seconds otherwise, which pass on a
 * busy machine between one request and the next, and who sends the next one just then gets no answer.
 */
export const keptMs = 120_000

/** Sends one request on a connection of its own (or `target.agent`'s) and returns the whole answer. Rejects when the connection breaks. */
export function ask(target: Target, question: Question = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const headers: Record<string, string | string[]> = { ...question.headers }
  if (question.host !== undefined) headers.host = question.host
  const place =
    target.socketPath === undefined
      ? { host: target.host ?? "127.0.0.1", port: target.port }
      : { socketPath: target.socketPath }
  const request = start({
    ...place,
    agent: target.agent ?? false,
    method: question.method ?? "GET",
    path: question.path ?? "/",
    headers,
    timeout: question.timeoutMs ?? patienceMs,
  })
  let answered = false
  request.on("timeout", () =>
    request.destroy(new Error(`No answer to ${request.method} ${request.path} in time`)),
  )
  request.on("error", (error) =>
    reject(!answered && closedWhileIdle(request, error) ? new IdleClosed(error) : error),
  )
  request.on("response", (response) => {
    answered = true
    const chunks: Buffer[] = []
    response.on("data", (chunk: Buffer) => chunks.push(chunk))
    response.on("error", reject)
    response.on("end", () =>
      resolve(answer(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
    )
  })
  request.end(question.body)
  return promise
}

/**
 * The server had closed a kept connection before the request reached it, so nothing of the request was handled and
 * every HTTP client sends it again (RFC 9112, 9.3.1).
 */
export class IdleClosed extends Error {
  constructor(cause: Error) {
    super("The kept connection was closed before the request", { cause })
  }
}

function closedWhileIdle(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
}

function answer(status: number, headers: IncomingHttpHeaders, body: string): Answer {
  return { status, headers, body, json: () => JSON.parse(body) }
}

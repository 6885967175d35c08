import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, type Server } from "node:https"
import { setImmediate } from "node:timers/promises"
import { aborted, sleep } from "../support/abort.ts"
import { Failure, systemCode } from "../support/failure.ts"
import { type Limit, limit } from "../support/lanes.ts"
import { Bodies } from "./bodies.ts"
import type { Pair } from "./certificate-files.ts"

/** An answer to one body. */
export interface Answer {
  readonly status: number
  /** JSON; absent: none */
  readonly body?: string
}

export interface ServerOptions {
  /** `--validating-webhook` */
  readonly host: string
  readonly port: number
  /** Takes some milliseconds, and the thread. */
  readonly answer: (text: string) => Answer
  /** others are to be asked from now on */
  readonly leaving: AbortSignal
}

export interface AdmissionServer {
  /** useful when 0 was asked for */
  readonly port: number
  /** From the next handshake on. Without a pair nobody gets through one. */
  use(pair: Pair): void
  /** Ends when what has been asked is answered, a second at most. */
  close(): Promise<void>
}

/** Of a head, of a whole request, and of the wait for a check: an API server waits 10 s, unless it is configured otherwise. */
const patienceMs = 10_000

/** Longer than API servers keep idle connections (90 s, Go's http.Transport): none is closed while a request is on its way. */
const idleMs = 120_000

/** An API server has a handful. */
const maxConnections = 1024

/** A check that took longer than this had much to read; so long others have their turn. */
const longMs = 20

/**
 * Serves the webhook: HTTPS with HTTP/1.1, whatever the path and the method. Without HTTP/2 an API server spreads its requests over connections, and
 * so over replicas (kubernetes/kubernetes#80313).
 *
 * @throws Failure `port-in-use` or `cannot-listen`
 */
export async function serveAdmission(options: ServerOptions): Promise<AdmissionServer> {
  const bodies = new Bodies()
  const turns = limit(1)
  const server = createServer(
    {
      minVersion: "TLSv1.2",
      ALPNProtocols: ["http/1.1"],
      handshakeTimeout: patienceMs,
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: idleMs,
    },
    (request, response) => {
      if (options.leaving.aborted) response.setHeader("connection", "close")
      void serve(request, response, bodies, turns, options.answer)
    },
  )
  server.maxConnections = maxConnections
  server.on("tlsClientError", (_, socket) => socket.destroy())
  server.on("clientError", (_, socket) => socket.destroy())
  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === "object" && address ? address.port : options.port,
    use: (pair) => server.setSecureContext({ ...pair, minVersion: "TLSv1.2" }),
    close: () => close(server),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  bodies: Bodies,
  turns: Limit,
  answer: ServerOptions["answer"],
): Promise<void> {
  response.on("error", () => {}) // whoever asked has gone
  const body = await bodies.read(request)
  switch (body.kind) {
    case "whole":
      return send(response, await inTurn(turns, response, () => answer(body.text)))
    case "too-large":
      return last(response, 413)
    case "crowded":
      return last(response, 503)
    case "broken":
      return last(response, 400)
    default:
      return body satisfies never
  }
}

/** Checks come one after the other, and between two of them everybody else who has to do with this process. */
function inTurn(turns: Limit, response: ServerResponse, answer: () => Answer): Promise<Answer> {
  const askedMs = performance.now()
  return turns(async () => {
    await setImmediate()
    const startMs = performance.now()
    if (response.destroyed || startMs - askedMs > patienceMs) return { status: 503 }
    const given = answer()
    const tookMs = performance.now() - startMs
    if (tookMs > longMs) await sleep(Math.min(tookMs, patienceMs), new AbortController().signal)
    return given
  })
}

function send(response: ServerResponse, { status, body = "" }: Answer): void {
  if (response.destroyed) return
  response.writeHead(status, {
    ...(body !== "" && { "content-type": "application/json" }),
    "content-length": Buffer.byteLength(body),
  })
  response.end(body)
}

/** What follows on this connection is not worth reading. */
function last(response: ServerResponse, status: number): void {
  if (response.destroyed) return
  response.setHeader("connection", "close")
  response.on("finish", () => response.req.destroy())
  send(response, { status })
}

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, host, port)))
    server.listen(host === "" ? { port } : { port, host }, resolve)
  })
}

function listenFailure(error: Error, host: string, port: number): Failure {
  const where = `${host}:${port}`
  return systemCode(error) === "EADDRINUSE"
    ? new Failure(
        "port-in-use",
        `Cannot serve the admission webhook: ${where} is in use, choose another with --validating-webhook`,
        { cause: error },
      )
    : new Failure("cannot-listen", `Cannot serve the admission webhook on ${where}: ${error.message}`, {
        cause: error,
      })
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  await Promise.race([closed, aborted(AbortSignal.timeout(1000))])
  server.closeAllConnections()
}

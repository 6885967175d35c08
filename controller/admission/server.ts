import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, type Server } from "node:https"
import { setImmediate } from "node:timers/promises"
import { aborted, sleep } from "../support/abort.ts"
import { Failure, systemCode } from "../support/failure.ts"
import { type Limit, limit } from "../support/lanes.ts"
import { Bodies, type Whole } from "./bodies.ts"
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
  /** milliseconds that a handshake, a head, a whole request and the wait for a check may take; default ten seconds */
  readonly patienceMs?: number
}

export interface AdmissionServer {
  /** useful when 0 was asked for */
  readonly port: number
  /** From the next handshake on. Without a pair nobody gets through one. */
  use(pair: Pair): void
  /** Ends when what has been asked is answered, a second at most. */
  close(): Promise<void>
}

/** So long an API server waits, unless the webhook's configuration says otherwise. */
const usualPatienceMs = 10_000

/** Longer than API servers keep idle connections (90 s, Go's http.Transport): none is closed while a request is on its way. */
const idleMs = 120_000

/** An API server has a handful. */
const maxConnections = 1024

/** A check that took longer than this had much to read; so long others have their turn. */
const longMs = 20

/**
 * Serves the webhook: HTTPS with HTTP/1.1, whatever the path and the method. An API server offers nothing else, so that its requests spread over
 * connections, and so over replicas (k8s.io/apiserver, pkg/util/webhook/client.go).
 *
 * @throws Failure `port-in-use` or `cannot-listen`
 */
export async function serveAdmission(options: ServerOptions): Promise<AdmissionServer> {
  const { answer, leaving, patienceMs = usualPatienceMs } = options
  const desk: Desk = { bodies: new Bodies(), turns: limit(1), answer, patienceMs }
  const server = createServer(
    {
      minVersion: "TLSv1.2",
      ALPNProtocols: ["http/1.1"],
      handshakeTimeout: patienceMs,
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      connectionsCheckingInterval: patienceMs / 10,
      keepAliveTimeout: idleMs,
    },
    (request, response) => {
      if (leaving.aborted) response.setHeader("connection", "close")
      void serve(request, response, desk)
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

/** What all requests have in common. */
interface Desk extends Required<Pick<ServerOptions, "answer" | "patienceMs">> {
  readonly bodies: Bodies
  readonly turns: Limit
}

async function serve(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  response.on("error", () => {}) // the client has gone
  const body = await desk.bodies.read(request)
  switch (body.kind) {
    case "whole":
      response.on("close", () => body.drop())
      return answerInTurn(body, response, desk)
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
function answerInTurn(body: Whole, response: ServerResponse, desk: Desk): Promise<void> {
  const { turns, answer, patienceMs } = desk
  const askedMs = performance.now()
  return turns(async () => {
    await setImmediate()
    const startMs = performance.now()
    if (response.destroyed) return
    const text = startMs - askedMs > patienceMs ? undefined : body.take()
    if (text === undefined) return send(response, { status: 503 })
    send(response, answer(text))
    const tookMs = performance.now() - startMs
    if (tookMs > longMs) await sleep(tookMs, never)
  })
}

const never = new AbortController().signal

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

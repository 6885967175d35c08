import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import { closeNow } from "../../support/close-now.ts"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"
import { createServer } from "../../support/http.ts"
import { sendMetrics } from "./exposition.ts"
import type { Health } from "./health.ts"
import type { Metrics } from "./metrics.ts"

export interface ObserveOptions {
  /** `--healthz-host`; "" binds all addresses */
  readonly host: string
  /** `--healthz-port`; 0 lets the system choose, for tests */
  readonly port: number
  /** `--health-check-path` */
  readonly healthPath: string
  readonly health: Health
  readonly metrics: Pick<Metrics, "own" | "pages" | "scrapes">
}

/** The running server. */
export interface ObserveServer {
  readonly port: number
  /** Stops listening and cuts what is open: probes and scrapes come again. */
  close(): Promise<void>
}

/**
 * Serves `GET <healthPath>` (200 `ok` or 500 with the reason; also `<healthPath>/nginx-ingress-controller`; `<healthPath>/ping` is always 200)
 * and `GET /metrics`.
 *
 * @throws Failure `port-in-use` or `cannot-listen`
 */
export async function startObserveServer(options: ObserveOptions): Promise<ObserveServer> {
  const server = createServer(listener(options))
  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === "object" && address ? address.port : options.port,
    close: () => closeNow(server),
  }
}

function listener({ healthPath, health, metrics }: ObserveOptions): RequestListener {
  const answers = new Map<
    string,
    (response: ServerResponse, request: IncomingMessage) => void | Promise<void>
  >([
    [healthPath, (response) => answerHealth(response, health)],
    [`${healthPath}/nginx-ingress-controller`, (response) => answerHealth(response, health)],
    [`${healthPath}/ping`, (response) => answer(response, 200, "ok")],
    ["/metrics", (response, request) => answerMetrics(request, response, metrics)],
  ])
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?")
    const known = answers.get(path)
    if (!known) answer(response, 404, "not found")
    else if (request.method !== "GET" && request.method !== "HEAD")
      answer(response, 405, "method not allowed")
    else void known(response, request)
  }
}

function answerHealth(response: ServerResponse, health: Health): void {
  const verdict = health.verdict()
  if (verdict.kind === "healthy") answer(response, 200, "ok")
  else answer(response, 500, verdict.reason)
}

async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: ObserveOptions["metrics"],
): Promise<void> {
  try {
    await sendMetrics(request, response, metrics)
  } catch (error) {
    if (!response.headersSent) answer(response, 500, `Cannot collect metrics: ${reasonOf(error)}`)
  }
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "content-type": type, "x-content-type-options": "nosniff" }).end(body)
}

function listen(server: Server, { host, port }: ObserveOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, host, port)))
    server.listen(host === "" ? { port } : { port, host }, resolve)
  })
}

function listenFailure(error: Error, host: string, port: number): Failure {
  const where = `${host === "" ? "" : `${host} `}port ${port}`
  return systemCode(error) === "EADDRINUSE"
    ? new Failure(
        "port-in-use",
        `Cannot serve health and metrics: ${where} is in use, choose another with --healthz-port`,
        { cause: error },
      )
    : new Failure("cannot-listen", `Cannot serve health and metrics on ${where}: ${error.message}`, {
        cause: error,
      })
}

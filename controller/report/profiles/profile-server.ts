import { once } from "node:events"
import type { Server } from "node:http"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"
import { createServer } from "../../support/http.ts"
import { Answering, type AnsweringOptions } from "./answering.ts"

interface ProfileServerOptions extends AnsweringOptions {
  /** `--profiler-address` */
  readonly address: string
  /** `--profiler-port`; 0 lets the system choose, for tests */
  readonly port: number
}

const maxConnections = 16
const patience = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 }

/**
 * Serves profiles of this process: a list of them at `/debug/pprof/`, and each at its name there.
 *
 * @throws Failure `port-in-use` or `cannot-listen`
 */
export async function startProfileServer(options: ProfileServerOptions): Promise<Server> {
  const answering = new Answering(options)
  const server = createServer(patience, (request, response) => void answering.answer(request, response))
  server.maxConnections = maxConnections
  server.listen(options.port, options.address)
  try {
    await once(server, "listening")
  } catch (cause) {
    throw listenFailure(cause, options)
  }
  return server
}

function listenFailure(cause: unknown, { address, port }: ProfileServerOptions): Failure {
  const [code, reason] =
    systemCode(cause) === "EADDRINUSE"
      ? ["port-in-use", "it is in use, choose another with --profiler-port"]
      : ["cannot-listen", `${reasonOf(cause)}, choose another with --profiler-address`]
  return new Failure(code, `Cannot serve profiles on ${address} port ${port}: ${reason}`, { cause })
}

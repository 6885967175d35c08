import { createServer } from "node:net"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"

/** A port that nginx is to listen on, and the flag that chooses it. */
export interface Listener {
  readonly port: number
  readonly host: string
  readonly flag: string
}

/**
 * Tries whether nginx could listen: with `reuseport` it would share a port with another nginx without a word.
 *
 * @throws Failure `port-in-use` or `cannot-listen`
 */
export async function checkPorts(listeners: readonly Listener[]): Promise<void> {
  for (const listener of listeners) await checkPort(listener)
}

function checkPort({ port, host, flag }: Listener): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(failureOf(error, port, flag)))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()))
  })
}

function failureOf(error: Error, port: number, flag: string): Failure {
  const advice = `choose another with ${flag}`
  if (systemCode(error) === "EADDRINUSE") {
    return new Failure("port-in-use", `Cannot listen on port ${port}: it is in use, ${advice}`, {
      cause: error,
    })
  }
  return new Failure("cannot-listen", `Cannot listen on port ${port}: ${reasonOf(error)}, ${advice}`, {
    cause: error,
  })
}

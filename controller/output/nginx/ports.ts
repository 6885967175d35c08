import { createSocket } from "node:dgram"
import { createServer, isIPv6 } from "node:net"
import { type StreamPort, streamName } from "../../model/stream-listener.ts"
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

/**
 * Tries ports of TCP and UDP at these addresses. What only nginx may open is none that is in use.
 *
 * @returns reasons by `streamName`; phrases
 */
export async function portsInUse(
  ports: readonly StreamPort[],
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const inUse = new Map<string, string>()
  for (const port of ports) {
    for (const address of addresses) {
      const error = await (port.protocol === "tcp" ? tryTcp : tryUdp)(port.port, address)
      if (systemCode(error) === "EADDRINUSE")
        inUse.set(
          streamName(port),
          `another program listens there, at ${address}; use another port, or stop it`,
        )
    }
  }
  return inUse
}

function tryTcp(port: number, host: string): Promise<Error | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once("error", resolve)
    const only = { exclusive: true, ipv6Only: isIPv6(host) }
    server.listen({ port, host, ...only }, () => server.close(() => resolve(undefined)))
  })
}

function tryUdp(port: number, address: string): Promise<Error | undefined> {
  const isV6 = isIPv6(address)
  const socket = createSocket({ type: isV6 ? "udp6" : "udp4", ipv6Only: isV6 })
  return new Promise((resolve) => {
    socket.once("error", (error) => socket.close(() => resolve(error)))
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(undefined)))
  })
}

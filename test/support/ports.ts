import { createServer } from "node:net"

// Below Linux's ephemeral range (32768…), so that no outgoing connection of a busy test takes a port between our look
// and the server's bind. Each process starts somewhere else and goes round.
const first = 12_000
const last = 32_000
let next = first + ((process.pid * 7919 + Math.floor(Math.random() * 1000)) % (last - first))

/** Returns `count` different loopback ports that nobody listens on at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > count + 1000) throw new Error(`No ${count} free ports between ${first} and ${last}`)
    const port = next
    next = next + 1 < last ? next + 1 : first
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

/** A port for each of the controller's listeners. */
export interface Listeners {
  readonly http: number
  readonly https: number
  readonly defaultServer: number
  readonly status: number
  readonly healthz: number
}

export async function freeListeners(): Promise<Listeners> {
  const [http = 0, https = 0, defaultServer = 0, status = 0, healthz = 0] = await freePorts(5)
  return { http, https, defaultServer, status, healthz }
}

export function listenerFlags({ http, https, defaultServer, status, healthz }: Listeners): string[] {
  return [
    `--http-port=${http}`,
    `--https-port=${https}`,
    `--default-server-port=${defaultServer}`,
    `--status-port=${status}`,
    `--healthz-port=${healthz}`,
  ]
}

/** True when a server could listen on this port now, on all addresses. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ port, host: "0.0.0.0", exclusive: true }, () => server.close(() => resolve(true)))
  })
}

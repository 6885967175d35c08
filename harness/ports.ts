// Ports for servers of tests, benchmarks and the demo, so that a port which was found free still is when the server binds it. Two things could
// take it meanwhile: an outgoing connection, which the kernel gives any port of its ephemeral range, and another process that looks for ports,
// too. So ports come from outside that range, and its user holds a lock for it as long as its process lives.
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { systemCode } from "../controller/support/failure.ts"

/** From the first port to the last one. */
export type Span = readonly [first: number, last: number]

/** Below are ports that people choose for what they run themselves, and those that wick (10245 to 10254) and Kubernetes (to 10259) have unless told others. */
const lowest = 10_300
const highest = 65_535

/** The wider one of the spans below and above the ephemeral range; all ports where that range leaves no thousand. */
export function outside([first, last]: Span): Span {
  const spans: Span[] = [
    [lowest, first - 1],
    [last + 1, highest],
  ]
  const [widest = [lowest, highest]] = spans
    .filter((span) => size(span) >= 1000)
    .sort((a, b) => size(b) - size(a))
  return widest
}

const size = ([first, last]: Span) => last - first + 1

/** Where the kernel takes the ports of outgoing connections and of servers that ask for port 0. Source: ip(7), ip_local_port_range. */
function ephemeral(): Span {
  const [first = 32_768, last = 60_999] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8")
    .trim()
    .split(/\s+/)
    .map(Number)
  return [first, last]
}

const span = outside(ephemeral())
// Processes that begin at different places seldom meet.
let next = span[0] + Math.floor(Math.random() * size(span))

/** Returns `count` ports on which nobody listens, and which no other process is given as long as this one lives: nobody will, but who was given it. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > size(span)) throw new Error(`No ${count} free ports between ${span[0]} and ${span[1]}`)
    const port = next
    next = next < span[1] ? next + 1 : span[0]
    if (await takePort(port)) ports.push(port)
  }
  return ports
}

/** Takes this very port, as `freePorts` does. @returns false when somebody else has it, or listens there */
export async function takePort(port: number): Promise<boolean> {
  const lock = await locked(port)
  if (lock === undefined) return false
  if (await isFree(port)) return true
  lock.close()
  return false
}

/** A socket in Linux's abstract namespace: only one process can have it, it is gone with that process, and like ports it belongs to a network. */
function locked(port: number): Promise<Server | undefined> {
  return bound({ path: `\0wick-test-port-${port}` })
}

/** True when a server could listen on this port now, on all addresses. */
async function isFree(port: number): Promise<boolean> {
  const server = await bound({ port, host: (await hasIPv6()) ? "::" : "0.0.0.0", exclusive: true })
  if (server !== undefined) await new Promise((resolve) => server.close(resolve))
  return server !== undefined
}

let iPv6: Promise<boolean> | undefined

/** A server on `::` takes the port of IPv4, too. */
function hasIPv6(): Promise<boolean> {
  iPv6 ??= bound({ port: 0, host: "::" }).then(
    (server) => server?.close() !== undefined,
    () => false,
  )
  return iPv6
}

/** @returns a server that keeps no process alive, undefined when the address is in use. @throws when the machine has no such address */
function bound(address: object): Promise<Server | undefined> {
  const server = createServer().unref()
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (systemCode(error) === "EADDRINUSE" ? resolve(undefined) : reject(error)))
    server.listen(address, () => resolve(server))
  })
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

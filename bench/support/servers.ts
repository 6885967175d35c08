// Endpoints that take their time, in a process of their own: so neither the client nor nginx waits for their JavaScript.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Random } from "../../harness/random.ts"

/** Milliseconds: each answer takes the least time and, on the average, `mean` more, exponentially distributed. */
export interface ServiceTime {
  readonly minMs: number
  readonly meanMs: number
}

export interface Servers {
  /** One endpoint of the control API each; an answer's body is its place in the list. */
  readonly endpoints: readonly { readonly endpoint: { readonly address: string; readonly port: string } }[]
  /** From now on the server at this place takes so many times as long. */
  slow(place: number, factor: number): void
  stop(): void
}

/** Any number of answers are under way at a time: a server that is slow is far away or waits, it is not busy. */
export async function startServers(count: number, time: ServiceTime): Promise<Servers> {
  const child = fork(import.meta.filename, [JSON.stringify({ count, time })])
  const [ports] = (await once(child, "message")) as [readonly number[]]
  return {
    endpoints: ports.map((port) => ({ endpoint: { address: "127.0.0.1", port: String(port) } })),
    slow: (place, factor) => tell(child, { place, factor }),
    stop: () => child.kill("SIGKILL"),
  }
}

interface Slowed {
  readonly place: number
  readonly factor: number
}

function tell(child: ChildProcess, slowed: Slowed): void {
  child.send(slowed)
}

/** The process itself. */
async function serve({ count, time }: { count: number; time: ServiceTime }): Promise<void> {
  const factors = Array.from({ length: count }, () => 1)
  const random = new Random(1)
  const ports = await Promise.all(factors.map((_, place) => listen(place)))
  process.on("message", ({ place, factor }: Slowed) => {
    factors[place] = factor
  })
  process.on("disconnect", () => process.exit(0))
  process.send?.(ports)

  async function listen(place: number): Promise<number> {
    const server = createServer({ keepAliveTimeout: 120_000 }, (_, response) => {
      const takesMs = (factors[place] ?? 1) * (time.minMs + random.exponential(time.meanMs))
      setTimeout(() => response.end(String(place)), takesMs)
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return (server.address() as AddressInfo).port
  }
}

if (process.argv[1] === import.meta.filename) await serve(JSON.parse(process.argv[2] ?? ""))

// A process of its own that asks nginx for a host until it is served, so that neither who writes to the API server is held up by that nor the asking by
// them: each time on a new connection, a millisecond after the answer before.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

interface Served {
  /** when the first 200 came, as this process's `performance.now()` has it */
  readonly atMs: number
  /** answers before it that were no 404 */
  readonly wrong: number
}

export interface Asker {
  /** Asks until the answer is 200. One at a time. */
  untilServed(name: string): Promise<Served>
  stop(): void
}

/** @param port of nginx on the loopback address */
export function startAsker(port: number): Asker {
  const child: ChildProcess = fork(import.meta.filename, ["ask", String(port)])
  // Both processes read the same clock, from other beginnings.
  const beganMs = clockMs() - performance.now()
  return {
    untilServed: async (name) => {
      child.send(name)
      const [served] = (await once(child, "message")) as [Served]
      return { ...served, atMs: served.atMs - beganMs }
    },
    stop: () => child.kill("SIGKILL"),
  }
}

function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** The process itself. */
async function untilServed(port: number, name: string): Promise<void> {
  let wrong = 0
  for (;;) {
    const status = await statusOf(port, name)
    if (status === 200) break
    if (status !== 404) wrong += 1
    await pause(1)
  }
  process.send?.({ atMs: clockMs(), wrong } satisfies Served)
}

/** 0 without an answer. Less work than Node's client of HTTP, of which there would be much: all share the cores. */
function statusOf(port: number, name: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  let answer = ""
  socket.on("connect", () => socket.write(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`))
  socket.on("data", (piece) => {
    answer += piece.toString("latin1")
  })
  socket.on("error", () => resolve(0))
  socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3}) .*\r\n\r\n/s.exec(answer)?.[1] ?? 0)))
  return promise
}

if (process.argv[1] === import.meta.filename && process.argv[2] === "ask") {
  process.on("message", (name: string) => void untilServed(Number(process.argv[3]), name))
  process.on("disconnect", () => process.exit(0))
}

// Sees a worker stand still: a process of its own asks the worker for a static answer every millisecond, over one kept
// connection, and measures how long each answer takes. What the worker does meanwhile for others makes an answer late.
import { type ChildProcess, fork } from "node:child_process"
import { connect } from "node:net"
import { largest, quantile } from "./statistics.ts"

/** Milliseconds that answers took. */
export interface Probed {
  readonly answers: number
  readonly median: number
  readonly p99: number
  readonly worst: number
}

export interface Prober {
  /** What was seen since the start or since the last call. */
  seen(): Promise<Probed>
  stop(): void
}

/** Starts probing a small static answer on a loopback port. */
export async function startProber(port: number, path: string): Promise<Prober> {
  const child = fork(import.meta.filename, [String(port), path])
  await message(child)
  return {
    seen: async () => {
      child.send("seen")
      return summary((await message(child)) as number[])
    },
    stop: () => child.kill("SIGKILL"),
  }
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve)
    child.once("exit", (code) => reject(new Error(`The prober ended with ${code}`)))
  })
}

function summary(took: readonly number[]): Probed {
  return {
    answers: took.length,
    median: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    worst: largest(took),
  }
}

/** The process itself. */
function probe(port: number, path: string): void {
  let took: number[] = []
  let sentMs: number | undefined
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  socket.on("connect", () => process.send?.("ready"))
  socket.on("close", () => process.exit(2))
  socket.on("data", () => {
    // A static answer is one small segment.
    if (sentMs !== undefined) took.push(performance.now() - sentMs)
    sentMs = undefined
  })
  setInterval(() => {
    if (sentMs !== undefined) return
    sentMs = performance.now()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: probe\r\n\r\n`)
  }, 1)
  process.on("message", () => {
    process.send?.(took)
    took = []
  })
  process.on("disconnect", () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) probe(Number(process.argv[2]), process.argv[3] ?? "/")

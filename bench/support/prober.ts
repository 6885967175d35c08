// Sees a worker stand still: a process of its own asks the worker for a static answer every millisecond, over one kept
// connection, and measures how long each answer takes. What the worker does meanwhile for others makes an answer late.
import { type ChildProcess, fork } from "node:child_process"
import { connect } from "node:net"
import { largest, quantile } from "../../harness/statistics.ts"

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
  await message(child, (text) => text === "ready")
  return {
    seen: async () => {
      child.send("seen")
      const { took } = (await message(child, (value) => typeof value === "object")) as { took: number[] }
      return summary(took)
    },
    stop: () => child.kill("SIGKILL"),
  }
}

/** The child's next message that is wanted. */
function message(child: ChildProcess, isWanted: (value: unknown) => boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The prober ended with ${code}`))
    const onMessage = (value: unknown) => {
      if (!isWanted(value)) return
      child.off("message", onMessage).off("exit", onExit)
      resolve(value)
    }
    child.on("message", onMessage).on("exit", onExit)
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
  let socket = open()

  // nginx closes after `keepalive_requests`; the next connection may meet another worker.
  function open() {
    const opened = connect({ port, host: "127.0.0.1", noDelay: true })
    opened.once("connect", () => process.send?.("ready"))
    // A question that meets the closing is lost; "close" follows every error.
    opened.on("error", () => {})
    opened.on("close", () => {
      sentMs = undefined
      setTimeout(() => {
        socket = open()
      }, 1)
    })
    opened.on("data", () => {
      // A static answer is one small segment.
      if (sentMs !== undefined) took.push(performance.now() - sentMs)
      sentMs = undefined
    })
    return opened
  }
  setInterval(() => {
    if (sentMs !== undefined || socket.readyState !== "open") return
    sentMs = performance.now()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: probe\r\n\r\n`)
  }, 1)
  process.on("message", () => {
    process.send?.({ took })
    took = []
  })
  process.on("disconnect", () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) probe(Number(process.argv[2]), process.argv[3] ?? "/")

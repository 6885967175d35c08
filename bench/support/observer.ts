// A process of its own with the pods, the watch of another client and the client that asks for hosts, so that neither who writes to the API server is held
// up by those nor they by it.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { Backend } from "../../harness/backends.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { startPods } from "../../harness/cluster/pods.ts"
import { workloadPort } from "./many-routes.ts"
import { SeenVersions } from "./seen-versions.ts"

/** When a host was served, by `clockMs()`. */
interface Served {
  readonly atMs: number
  /** answers before it that were no 404 */
  readonly wrong: number
}

export interface Observer {
  readonly pid: number
  /** the pods `one` and `two` */
  readonly addresses: readonly string[]
  /** Asks each time on a new connection, a millisecond after the answer before, until it is 200. One at a time. */
  untilServed(host: string): Promise<Served>
  /** When the event of this version of an HTTPRoute came, by `clockMs()`. */
  seenAt(version: string): Promise<number>
  stop(): void
}

/** All processes of a machine read the same clock. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** @param kubeconfig of the API server @param port of nginx on the loopback address */
export async function startObserver(kubeconfig: string, port: number): Promise<Observer> {
  const child: ChildProcess = fork(import.meta.filename, ["observe", kubeconfig, String(port)], {
    // Its first thread is served first, and would keep its core while it waits for helpers in a collection, which are not: half a second for all others.
    execArgv: [...process.execArgv, "--single-threaded-gc"],
  })
  const told = async <T>(question?: Question): Promise<T> => {
    if (question !== undefined) child.send(question)
    const [answer] = await once(child, "message")
    return answer as T
  }
  return {
    pid: child.pid ?? 0,
    addresses: await told<readonly string[]>(),
    untilServed: (host) => told<Served>({ host }),
    seenAt: (version) => told<number>({ version }),
    stop: () => child.kill("SIGKILL"),
  }
}

type Question = { readonly host: string } | { readonly version: string }

/** The process itself. */
async function observe(kubeconfig: string, port: number): Promise<void> {
  await new Backend("workload", "0.0.0.0", workloadPort).start()
  const pods = await startPods("one", "two")
  const seen = await SeenVersions.of(kubeconfig, pathOf("HTTPRoute", ""))
  const sinceMs = clockMs() - performance.now()
  process.on("message", async (question: Question) => {
    if ("host" in question) process.send?.(await untilServed(port, question.host))
    else process.send?.((await seen.at(question.version)) + sinceMs)
  })
  process.on("disconnect", () => process.exit(0))
  process.send?.(pods.map(({ address }) => address))
}

async function untilServed(port: number, name: string): Promise<Served> {
  let wrong = 0
  for (;;) {
    const status = await statusOf(port, name)
    if (status === 200) return { atMs: clockMs(), wrong }
    if (status !== 404) wrong += 1
    await pause(1)
  }
}

/** 0 without an answer. Less work than Node's client of HTTP, of which there would be much. */
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

const [, file, command, kubeconfig = "", port] = process.argv
if (file === import.meta.filename && command === "observe") await observe(kubeconfig, Number(port))

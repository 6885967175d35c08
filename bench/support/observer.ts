// A process of its own with the pods and the watch of another client, so that neither who writes to the API server is held up by those nor they by it.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Backend } from "../../harness/backends.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { startPods } from "../../harness/cluster/pods.ts"
import { workloadPort } from "./many-routes.ts"
import { SeenVersions } from "./seen-versions.ts"

export interface Observer {
  readonly pid: number
  /** the pods `one` and `two` */
  readonly addresses: readonly string[]
  /** When the event of this version of an HTTPRoute came, by `clockMs()`. */
  seenAt(version: string): Promise<number>
  stop(): void
}

/** All processes of a machine read the same clock. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

export async function startObserver(kubeconfig: string): Promise<Observer> {
  const child: ChildProcess = fork(import.meta.filename, ["observe", kubeconfig], {
    // Its first thread is served first, and would keep its core while it waits for helpers in a collection, which are not: half a second for all others.
    execArgv: [...process.execArgv, "--single-threaded-gc"],
  })
  const told = async <T>(version?: string): Promise<T> => {
    if (version !== undefined) child.send(version)
    const [answer] = await once(child, "message")
    return answer as T
  }
  return {
    pid: child.pid ?? 0,
    addresses: await told<readonly string[]>(),
    seenAt: (version) => told<number>(version),
    stop: () => child.kill("SIGKILL"),
  }
}

/** The process itself. */
async function observe(kubeconfig: string): Promise<void> {
  await new Backend("workload", "0.0.0.0", workloadPort).start()
  const pods = await startPods("one", "two")
  const seen = await SeenVersions.of(kubeconfig, pathOf("HTTPRoute", ""))
  const sinceMs = clockMs() - performance.now()
  process.on("message", async (version: string) => process.send?.((await seen.at(version)) + sinceMs))
  process.on("disconnect", () => process.exit(0))
  process.send?.(pods.map(({ address }) => address))
}

const [, file, command, kubeconfig = ""] = process.argv
if (file === import.meta.filename && command === "observe") await observe(kubeconfig)

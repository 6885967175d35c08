// A process of its own that changes EndpointSlices as fast as the API server takes it, so that who measures is not held up by it.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Client, type Login } from "../../harness/cluster/client.ts"
import { changeSlice, inLanes } from "./cluster-population.ts"

export interface Churn {
  /** Changes the first `count` applications, each once. @returns milliseconds it took */
  burst(count: number): Promise<number>
  stop(): void
}

export function startChurn(login: Login): Churn {
  const child: ChildProcess = fork(import.meta.filename, ["churn"])
  child.send(login)
  return {
    burst: async (count) => {
      child.send(count)
      const [ms] = await once(child, "message")
      return ms as number
    },
    stop: () => child.kill("SIGKILL"),
  }
}

/** The process itself. */
function churn(): void {
  let client: Client | undefined
  let bursts = 0
  const burst = async (count: number) => {
    if (client === undefined) throw new Error("Not logged in")
    const api = client
    const startedMs = performance.now()
    bursts += 1
    await inLanes(count, (at) => changeSlice(api, at, bursts))
    process.send?.(performance.now() - startedMs)
  }
  process.on("message", (message: Login | number) => {
    if (typeof message === "number") void burst(message)
    else client = new Client(message)
  })
  process.on("disconnect", () => process.exit(0))
}

if (process.argv[1] === import.meta.filename && process.argv[2] === "churn") churn()

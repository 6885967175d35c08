// A process of its own that creates workloads as fast as the API server takes them, so that who measures is not held up by it.
import { type ChildProcess, fork } from "node:child_process"
import { Client, type Login } from "../../harness/cluster/client.ts"
import { workload } from "./many-routes.ts"

/** Requests under way at the same time. */
const lanes = 4

export interface Workloads {
  /** how many there are */
  readonly created: number
  stop(): void
}

/** Creates `count`, the first of them number 1. */
export function startWorkloads(login: Login, count: number): Workloads {
  const child: ChildProcess = fork(import.meta.filename, ["create"])
  let created = 0
  child.on("message", () => {
    created += 1
  })
  child.send({ login, count })
  return {
    get created() {
      return created
    },
    stop: () => child.kill("SIGKILL"),
  }
}

/** The process itself. */
async function create({ login, count }: { login: Login; count: number }): Promise<void> {
  const client = new Client(login)
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await client.apply(...workload(next))
      process.send?.("created")
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

if (process.argv[1] === import.meta.filename && process.argv[2] === "create") {
  process.on("message", (told: { login: Login; count: number }) => void create(told))
  process.on("disconnect", () => process.exit(0))
}

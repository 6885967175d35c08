// Stands in for the controller of Jobs and the node that would run them: the program of the chart's Jobs, as a process beside the test.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../../harness/cluster/client.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"

export class Jobs implements AsyncDisposable {
  readonly #server: ApiServer
  readonly #seen = new Set<string>()
  readonly #running: Promise<void>
  /** what the Jobs said, over all of them */
  log = ""
  #isOver = false

  /** Runs every Job that appears from now on. */
  constructor(server: ApiServer) {
    this.#server = server
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      for (const job of await this.#server.admin.list("Job")) await this.#take(job)
      await pause(50)
    }
  }

  async #take(job: ApiObject): Promise<void> {
    const { uid, namespace, name } = job.metadata
    if (this.#seen.has(uid)) return
    this.#seen.add(uid)
    const startTime = now()
    if (!(await this.#perform(job))) return
    const condition = (type: string) => ({ type, status: "True", lastTransitionTime: now() })
    const conditions = [condition("SuccessCriteriaMet"), condition("Complete")]
    const status = { startTime, completionTime: now(), succeeded: 1, conditions }
    await this.#server.admin.patch("Job", `${namespace}/${name}`, { status }, "status")
  }

  /** As ServiceAccount of its Pod, with the arguments of its only container. @returns whether it went well */
  async #perform({ metadata: { namespace = "" }, spec }: ApiObject): Promise<boolean> {
    const { serviceAccountName, containers } = spec.template.spec
    const account = await this.#server.serviceAccount(`${namespace}/${serviceAccountName}`)
    const [{ args }] = containers as [{ args: readonly string[] }]
    const given = args.map((arg) => arg.replaceAll("$(POD_NAMESPACE)", namespace))
    const program = [
      join(root, "controller/main.ts"),
      "certgen",
      ...given,
      `--kubeconfig=${account.kubeconfig}`,
    ]
    const child = spawn(nodeBinary, program, { stdio: ["ignore", "pipe", "pipe"] })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.log += text
      })
    const [code] = await once(child, "close")
    return code === 0
  }
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`
}

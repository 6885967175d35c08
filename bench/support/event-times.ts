// How long an event of the API server takes to become traffic: the only endpoint of web.test is another pod, again and again.
import { setTimeout as pause } from "node:timers/promises"
import { Client } from "../../controller/input/cluster/connect/client.ts"
import { openAccess } from "../../controller/input/cluster/connect/configuration.ts"
import type { Backends } from "../../harness/backends.ts"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass, service } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"

/** Milliseconds of one change. */
export interface Times {
  /** from the write to the event, as another client's watch has it */
  readonly event: number
  /** from that event to the first answer of the new endpoint */
  readonly traffic: number
}

/** The Service behind web.test, and the watch of another client. */
export class Web implements AsyncDisposable {
  readonly #server: ApiServer
  readonly #pods: Backends
  readonly #seenMs = new Map<string, number>()
  readonly #stop = new AbortController()
  #client: Client | undefined
  #watched: Promise<void> | undefined
  #changes = 0

  private constructor(server: ApiServer, pods: Backends) {
    this.#server = server
    this.#pods = pods
  }

  /** Makes the objects. */
  static async create(server: ApiServer): Promise<Web> {
    const pods = await startPods("one", "two")
    await server.admin.apply(
      ingressClass,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "bench" } },
      service("bench/web", podPort),
      sliceOf("bench/web", pods.slice(0, 1)),
      ingress("bench/web", `web.test/ → web:${podPort}`),
    )
    return new Web(server, pods)
  }

  /** @param port of nginx */
  async change(port: number): Promise<Times> {
    await this.#watch()
    this.#changes += 1
    const next = this.#pods[this.#changes % 2]
    const writtenMs = performance.now()
    const [[applied], answeredMs] = await Promise.all([
      this.#server.admin.apply(sliceOf("bench/web", next ? [next] : [])),
      firstAnswer(port, next?.name ?? ""),
    ])
    const version = applied?.metadata.resourceVersion ?? ""
    const seenMs = await until("the event", () => this.#seenMs.get(version))
    return { event: seenMs - writtenMs, traffic: answeredMs - seenMs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#watched
    this.#client?.close()
    await this.#pods.stop()
  }

  async #watch(): Promise<void> {
    if (this.#watched !== undefined) return
    const options = {
      kubeconfig: this.#server.adminKubeconfig(),
      apiserverHost: "",
      certificateAuthority: "",
    }
    const access = await openAccess(options, { host: "", port: "" })
    const client = new Client({ access, userAgent: "bench" })
    this.#client = client
    await new Promise<void>((begun) => {
      this.#watched = this.#follow(client, begun)
    })
  }

  async #follow(client: Client, begun: () => void): Promise<void> {
    const query = { watch: "true", timeoutSeconds: "3600" }
    const request = { method: "GET", path: pathOf("EndpointSlice", "bench/"), query } as const
    const { signal } = this.#stop
    try {
      for await (const lines of client.watch(request, signal)) {
        begun()
        for (const line of lines) this.#seenMs.set(versionIn(line), performance.now())
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

function versionIn(line: unknown): string {
  return (line as { object: { metadata: { resourceVersion: string } } }).object.metadata.resourceVersion
}

/** Asks all the while. @returns when the first answer of the pod came */
async function firstAnswer(port: number, pod: string): Promise<number> {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    const { body } = await ask({ port }, { host: "web.test" })
    if (body === pod) return performance.now()
    await pause(1)
  }
  throw new Error(`Waited 60 s in vain for an answer of ${pod}`)
}

// How long an event of the API server takes to become traffic: the only endpoint of web.test is another pod, again and again.
import { setTimeout as pause } from "node:timers/promises"
import type { Backends } from "../../harness/backends.ts"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass, service } from "../../harness/manifests.ts"
import { SeenVersions } from "./seen-versions.ts"

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
  #seen: SeenVersions | undefined
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
    this.#seen ??= await SeenVersions.of(this.#server.adminKubeconfig(), pathOf("EndpointSlice", "bench/"))
    this.#changes += 1
    const next = this.#pods[this.#changes % 2]
    const writtenMs = performance.now()
    const [[applied], answeredMs] = await Promise.all([
      this.#server.admin.apply(sliceOf("bench/web", next ? [next] : [])),
      firstAnswer(port, next?.name ?? ""),
    ])
    const version = applied?.metadata.resourceVersion ?? ""
    const seenMs = await this.#seen.at(version)
    return { event: seenMs - writtenMs, traffic: answeredMs - seenMs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#seen?.[Symbol.asyncDispose]()
    await this.#pods.stop()
  }
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

import { Backend } from "../../harness/backends.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { installGatewayApi } from "../../harness/cluster/gateway-api.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { service } from "../../harness/manifests.ts"
import { freePorts } from "../../harness/ports.ts"
import type { Wick } from "../../harness/wick.ts"
import { type Asker, startAsker } from "./asker.ts"
import { heapBytes, privateBytes, zoneBytes } from "./cpu.ts"
import { startInPod } from "./image.ts"
import { gatewayAt, hostOf, namespace, route, workloadPort } from "./many-routes.ts"
import { SeenVersions } from "./seen-versions.ts"

/** What became of one route, milliseconds from the request that creates it. */
export interface Propagation {
  /** until the API server has answered */
  readonly stored: number
  /** until the watch of another client has the event */
  readonly event: number
  /** until the first 200 */
  readonly served: number
  /** answers before that which were no 404 */
  readonly wrong: number
}

/** Megabytes. */
export interface Memory {
  /** of the controller's own */
  readonly controller: number
  /** of its own, of the worker that has most */
  readonly worker: number
  /** shared zones, as far as they have been touched */
  readonly zones: number
}

interface Parts {
  readonly server: ApiServer
  readonly wick: Wick
  /** of the Gateway */
  readonly port: number
  readonly asker: Asker
  readonly seen: SeenVersions
}

/** wick as in its image and in a Pod, with a Gateway, on an API server of its own. */
export class GatewaySite implements AsyncDisposable {
  readonly #parts: Parts
  readonly #stops: AsyncDisposableStack

  private constructor(parts: Parts, stops: AsyncDisposableStack) {
    this.#parts = parts
    this.#stops = stops
  }

  /** Starts it with a single route. */
  static async start(): Promise<GatewaySite> {
    await using stops = new AsyncDisposableStack()
    const server = stops.use(await startApiServer())
    await installGatewayApi(server)
    const [port = 0] = await freePorts(1)
    await server.admin.apply(...gatewayAt(port))
    stops.use(await new Backend("workload", "0.0.0.0", workloadPort).start())
    const pods = stops.adopt(await startPods("one", "two"), (some) => some.stop())
    for (const pod of pods) {
      const name = `${namespace}/${pod.name}`
      await server.admin.apply(service(name, podPort), sliceOf(name, [pod]))
    }
    const wick = stops.use(await startInPod(server, { flags: ["--gateway-addresses=127.0.0.1"] }))
    const asker = stops.adopt(startAsker(port), (it) => it.stop())
    const seen = stops.use(await SeenVersions.of(server, pathOf("HTTPRoute", "")))
    const site = new GatewaySite({ server, wick, port, asker, seen }, stops.move())
    await site.create(0)
    return site
  }

  get server(): ApiServer {
    return this.#parts.server
  }

  get port(): number {
    return this.#parts.port
  }

  /** Creates a route and waits until it is served. */
  async create(nth: number): Promise<Propagation> {
    const { server, asker, seen } = this.#parts
    const begunMs = performance.now()
    const asked = asker.untilServed(hostOf(nth))
    const [applied] = await server.admin.apply(route(nth))
    const storedMs = performance.now()
    const { atMs, wrong } = await asked
    const seenMs = await seen.at(applied?.metadata.resourceVersion ?? "")
    return { stored: storedMs - begunMs, event: seenMs - begunMs, served: atMs - begunMs, wrong }
  }

  memory(): Memory {
    const { wick } = this.#parts
    const mega = (bytes: number) => bytes / 1e6
    const workers = wick.workers()
    return {
      controller: mega(privateBytes(wick.pid)),
      worker: Math.max(...workers.map((pid) => mega(heapBytes(pid)))),
      zones: mega(zoneBytes(workers[0] ?? 0)),
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stops.disposeAsync()
  }
}

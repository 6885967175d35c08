import { constants, setPriority } from "node:os"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { installGatewayApi } from "../../harness/cluster/gateway-api.ts"
import { podPort } from "../../harness/cluster/pods.ts"
import { service, slice } from "../../harness/manifests.ts"
import { freePorts } from "../../harness/ports.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { runOn } from "./cores.ts"
import { heapBytes, privateBytes, zoneBytes } from "./cpu.ts"
import { startInPod } from "./image.ts"
import { gatewayAt, hostOf, namespace, route } from "./many-routes.ts"
import { clockMs, type Observer, startObserver } from "./observer.ts"
import { ServedClient } from "./until-served.ts"

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
  readonly observer: Observer
  readonly client: ServedClient
}

/**
 * wick as in its image and in a Pod, with a Gateway, on an API server of its own, which it does not share its cores with: wick and nginx have the second
 * half of them, as a machine of their own, and the API server, those who write to it, those who observe and the pods the first. Who observes is served
 * first there.
 */
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
    runOn("first", process.pid)
    const server = stops.use(await startApiServer())
    await bringGatewayApi(server)
    const [port = 0] = await freePorts(1)
    const observer = stops.adopt(await startObserver(server.adminKubeconfig()), (it) => it.stop())
    const client = stops.use(new ServedClient(port))
    await server.admin.apply(
      ...gatewayAt(port),
      ...["one", "two"].flatMap((name, at) => [
        service(`${namespace}/${name}`, podPort),
        slice(`${namespace}/${name}`, [observer.addresses[at] ?? ""], podPort),
      ]),
    )
    const wick = stops.use(await startInPod(server, { flags: ["--gateway-addresses=127.0.0.1"] }))
    runOn("second", wick.pid, wick.nginxPid ?? 0, ...wick.workers())
    // What they see late would be seen to be faster than it is, or slower.
    for (const { pid } of [observer, client]) setPriority(pid, constants.priority.PRIORITY_HIGHEST)
    const site = new GatewaySite({ server, wick, port, observer, client }, stops.move())
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
    const { server, observer, client } = this.#parts
    const begunMs = clockMs()
    const asked = client.untilServed(hostOf(nth))
    const [applied] = await server.admin.apply(route(nth))
    const storedMs = clockMs()
    const { atMs, wrong } = await asked
    const seenMs = await observer.seenAt(applied?.metadata.resourceVersion ?? "")
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

/** Puts the definitions of the Gateway API into the API server, and waits until it lists routes: it says that a kind is served a moment before it is. */
export async function bringGatewayApi(server: ApiServer): Promise<void> {
  await installGatewayApi(server)
  const areListed = () =>
    server.admin.list("HTTPRoute").then(
      () => true,
      () => false,
    )
  await until("a list of routes", areListed)
}

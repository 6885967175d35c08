// A node of a cluster, for tests: what kubelet, kube-proxy and the scheduler do, as far as a rollout can tell. Deployments and EndpointSlices are
// the work of Kubernetes' own controllers (test/apiserver). It knows nothing of wick: images say what runs.
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { ApiError, type ApiObject } from "../../harness/cluster/client.ts"
import { Balancers } from "./balancers.ts"
import type { Image } from "./container.ts"
import { LogServer } from "./logs.ts"
import { nodeAddress, serviceRange, setUpNode } from "./network.ts"
import { Pod } from "./pod.ts"
import { leadServices, stopLeading } from "./services.ts"
import { Watch } from "./watch.ts"

/** Flags for the API server that the node belongs to. */
export const nodeFlags = ["--bind-address=0.0.0.0", `--service-cluster-ip-range=${serviceRange}`]

export interface NodeOptions {
  /** by the names that Pods have for them */
  readonly images: Readonly<Record<string, Image>>
  /** How long a second of a probe takes; default 100 ms. */
  readonly probeSecondMs?: number
  /** Whether Services of type LoadBalancer get an address by themselves; default false. */
  readonly balances?: boolean
  /** How long after a change connections are led by it. Default a second, as of kube-proxy. */
  readonly proxyDelayMs?: number
}

const name = "node"

export class Node implements AsyncDisposable {
  /** Those that run or end, by uid. */
  readonly #pods = new Map<string, Pod>()
  readonly #server: ApiServer
  readonly #options: NodeOptions
  readonly #watches: readonly Watch[]
  readonly #logs: LogServer
  #places = 0
  #isStopping = false
  #leading: NodeJS.Timeout | undefined

  private constructor(server: ApiServer, options: NodeOptions, logs: LogServer) {
    this.#server = server
    this.#options = options
    this.#logs = logs
    const balancers = options.balances ? new Balancers(server.admin) : undefined
    const services = new Watch(server.adminLogin, "Service", (service, isDeleted) => {
      this.#leadSoon(services, slices)
      balancers?.take(service, isDeleted)
    })
    const slices = new Watch(server.adminLogin, "EndpointSlice", () => this.#leadSoon(services, slices))
    const pods = new Watch(server.adminLogin, "Pod", (pod, isDeleted) => {
      this.#take(pod, isDeleted).catch((error) => {
        // Pods that end when the node does may find no API server any more.
        if (!this.#isStopping) throw error
      })
    })
    this.#watches = [services, slices, pods]
  }

  /** @param server one with `nodeFlags` */
  static async start(server: ApiServer, options: NodeOptions): Promise<Node> {
    setUpNode()
    leadServices([], [], server.port)
    server.startControllers()
    await server.admin.apply({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels: { "kubernetes.io/os": "linux" } },
    })
    const addresses = [{ type: "InternalIP", address: nodeAddress }]
    const conditions = [{ type: "Ready", status: "True" }]
    const logs = await LogServer.start(nodeAddress, server.serving, () => node.pods)
    const daemonEndpoints = { kubeletEndpoint: { Port: logs.port } }
    await server.admin.patch("Node", name, { status: { addresses, conditions, daemonEndpoints } }, "status")
    const node = new Node(server, options, logs)
    return node
  }

  /** Those that run or end. */
  get pods(): readonly Pod[] {
    return [...this.#pods.values()]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#watches.map((watch) => watch.stop()))
    clearTimeout(this.#leading)
    await Promise.all(this.pods.map((pod) => pod.kill()))
    await this.#logs[Symbol.asyncDispose]()
    stopLeading()
  }

  async #take(pod: ApiObject, isDeleted: boolean): Promise<void> {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
    const known = this.#pods.get(uid)
    if (isDeleted) {
      this.#pods.delete(uid)
      await known?.kill()
    } else if (deletionTimestamp !== undefined) {
      await known?.end(deletionGracePeriodSeconds)
    } else if (pod.spec.nodeName === undefined) {
      await this.#bind(pod)
    } else if (known === undefined && pod.spec.nodeName === name) {
      const { images, probeSecondMs = 100 } = this.#options
      this.#places += 1
      const started = new Pod(pod, { server: this.#server, images, probeSecondMs, place: this.#places })
      this.#pods.set(uid, started)
      await started.start()
    }
  }

  /** As the scheduler, where there is one node. */
  async #bind({ metadata: { namespace, name: podName } }: ApiObject): Promise<void> {
    const target = { kind: "Node", name }
    const body = { apiVersion: "v1", kind: "Binding", metadata: { name: podName }, target }
    const path = `/api/v1/namespaces/${namespace}/pods/${podName}/binding`
    await this.#server.admin.send("POST", path, { body }).catch((error) => {
      // It has changed before it heard that it is bound.
      if (!(error instanceof ApiError && error.status === 409)) throw error
    })
  }

  #leadSoon(services: Watch, slices: Watch): void {
    this.#leading ??= setTimeout(() => {
      this.#leading = undefined
      leadServices(services.objects, slices.objects, this.#server.port)
    }, this.#options.proxyDelayMs ?? 1000)
  }
}

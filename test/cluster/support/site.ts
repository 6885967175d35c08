// What tests of faults begin with: an Ingress with pods behind it, wick between them and the API server, and requests all the while.
import { expect } from "vitest"
import type { Cause } from "../../../controller/input/cluster/watch/observer.ts"
import type { Backends } from "../../../harness/backends.ts"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import { podPort, sliceOf, startPods } from "../../../harness/cluster/pods.ts"
import { type InCluster, startWickIn } from "../../../harness/cluster/wick.ts"
import { type Load, startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, service } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import type { Wick } from "../../../harness/wick.ts"
import { untilSame } from "./in-force.ts"

export class Site implements AsyncDisposable {
  readonly server: ApiServer
  readonly wick: Wick
  readonly pods: Backends
  /** where its objects are; hosts are named as its Ingresses: `first.test` */
  readonly namespace: string
  readonly #load: Load
  #reloadsBefore = 0
  #postsBefore = 0

  constructor(parts: Pick<Site, "server" | "wick" | "pods" | "namespace">) {
    this.server = parts.server
    this.wick = parts.wick
    this.pods = parts.pods
    this.namespace = parts.namespace
    // Enough to notice a moment of a tenth of a second, and little enough to leave the machine to what is tested.
    const question = () => ({ host: "first.test" })
    this.#load = startLoad({ port: this.wick.port, connections: 4, pauseMs: 10, question })
  }

  /** Which pods, by their places, are endpoints of the Service from now on, as far as the API server is concerned. */
  async setPods(...places: readonly number[]): Promise<void> {
    const pods = this.pods.filter((_, at) => places.includes(at))
    await this.server.admin.apply(sliceOf(`${this.namespace}/web`, pods))
  }

  /** Another Ingress to the same Service. */
  async addHost(name: string): Promise<void> {
    await this.server.admin.apply(ingressTo(this.namespace, name))
  }

  /** Waits until nginx serves what the API server has. */
  async settled(): Promise<void> {
    await untilSame(this.server.admin, this.wick)
  }

  /** How often a list or a watch has failed so far for this cause. */
  failures(cause: Cause): Promise<number> {
    return this.wick.metric("wick_watch_failures_total", `cause="${cause}"`)
  }

  /** Since the last call, or the start. */
  async counts(): Promise<{ reloads: number; posts: number }> {
    const reloads = await this.wick.metric("nginx_ingress_controller_success")
    const posts = await this.wick.metric("wick_posts_total")
    const counts = { reloads: reloads - this.#reloadsBefore, posts: posts - this.#postsBefore }
    this.#reloadsBefore = reloads
    this.#postsBefore = posts
    return counts
  }

  /** Every request so far was answered by a pod, and they go on. */
  async expectNoLoss(): Promise<void> {
    const { requests } = this.#load.result
    await until("the load to go on", () => this.#load.result.requests > requests + 10)
    const { lost, statuses } = this.#load.result
    expect(lost).toEqual([])
    expect([...statuses.keys()]).toEqual([200])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#load.stop()
    await this.wick.stop()
    await this.pods.stop()
  }
}

/** Starts one over this API server, with three pods, the first of them an endpoint. Waits until it serves. */
export async function startSite(server: ApiServer, options: InCluster = {}): Promise<Site> {
  const namespace = await server.namespace("site")
  const pods = await startPods("one", "two", "three")
  const first = ingressTo(namespace, "first")
  const web = `${namespace}/web`
  await server.admin.apply(ingressClass, service(web, podPort), sliceOf(web, pods.slice(0, 1)), first)
  const flags = ["--sync-rate-limit=100", ...(options.flags ?? [])]
  const wick = await startWickIn(server, { ...options, flags })
  await untilSame(server.admin, wick)
  const site = new Site({ server, wick, pods, namespace })
  await site.counts()
  return site
}

function ingressTo(namespace: string, name: string) {
  return ingress(`${namespace}/${name}`, `${name}.test/ → web:${podPort}`)
}

// Releases of Helm whose Pods run on the node: of deploy/chart, and of what a cluster has before it moves to wick.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ApiServer, apiServerBinary } from "../../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../../harness/cluster/client.ts"
import { ask } from "../../../harness/http.ts"
import type { Json } from "../../../harness/manifests.ts"
import { nginxBinary, nodeBinary, root } from "../../../harness/paths.ts"
import { until } from "../../../harness/until.ts"
import { Helm } from "../../chart/support/helm.ts"
import type { Image } from "../../kubelet/container.ts"
import type { Node } from "../../kubelet/node.ts"

const controller = [nodeBinary, join(root, "controller/main.ts")]

/** The checkout, by the names that its programs have in an image. */
const checkout: Image = {
  "/nginx-ingress-controller": controller,
  "/wait-shutdown": [...controller, "wait-shutdown"],
}

/** A plain nginx with ingress-nginx's status writer (test/apiserver/previous.go). Its hook tells the first process and waits for nginx. */
const ingressNginx: Image = {
  "/nginx-ingress-controller": ["env", `NGINX=${nginxBinary}`, apiServerBinary, "ingress-nginx"],
  "/wait-shutdown": ["sh", "-c", "kill 1; while pgrep --exact nginx; do sleep 0.1; done"],
}

/** Of deploy/chart, and of another version of it. @param wick what runs in their Pods */
export const imagesOf = (wick: Image): Readonly<Record<string, Image>> => ({
  "registry.wick.dev/wick/controller:0.1.0": wick,
  "registry.wick.dev/wick/controller:next": wick,
  "registry.test/ingress-nginx/controller:v1.15.1": ingressNginx,
})

export const images = imagesOf(checkout)

/** A chart of ingress-nginx's objects. */
const previousChart = join(root, "test/chart/previous")

/** The node runs no Jobs: admission.test.ts and the chart's own tests have the webhook. */
function withoutWebhook(values: Json): Json {
  const controller = { ...(values.controller as Json | undefined), admissionWebhooks: { enabled: false } }
  return { ...values, controller }
}

/** One in a namespace of the same name. Whatever chart it is of, its objects have the same names. */
export class Release implements Disposable {
  readonly #server: ApiServer
  readonly #node: Node
  readonly name: string
  readonly #helm: Helm
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-helm-"))

  constructor(server: ApiServer, node: Node, name: string) {
    this.#server = server
    this.#node = node
    this.name = name
    this.#helm = new Helm(server.adminKubeconfig(), this.#dir, name)
  }

  /** Of its Deployment and its Service, `namespace/name`. */
  get controller(): string {
    const { name } = this
    return `${name}/${name.includes("ingress-nginx") ? name : `${name}-ingress-nginx`}-controller`
  }

  /** As a cluster has it before. */
  async installIngressNginx(values: Json): Promise<void> {
    await this.#helm.install(this.name, values, previousChart)
    await this.rolledOut()
  }

  async install(values: Json): Promise<void> {
    await this.#helm.install(this.name, withoutWebhook(values))
    await this.rolledOut()
  }

  /** To deploy/chart with these values. */
  async upgrade(values: Json): Promise<void> {
    await this.#helm.upgrade(this.name, withoutWebhook(values))
    await this.rolledOut()
  }

  /** To a revision, the first one is 1. */
  async rollback(revision: number): Promise<void> {
    await this.#helm.run("rollback", this.name, String(revision))
    await this.rolledOut()
  }

  /** With what Kubernetes' garbage collector then does, which does not run here. */
  async uninstall(): Promise<void> {
    const { spec } = await this.#deployment()
    await this.#helm.run("uninstall", this.name)
    const selector = Object.entries(spec.selector.matchLabels).map(([label, value]) => `${label}=${value}`)
    for (const kind of ["ReplicaSet", "Pod"])
      for (const { metadata } of await this.#server.admin.list(kind, this.name, {
        labelSelector: `${selector}`,
      }))
        await this.#server.admin.delete(kind, `${this.name}/${metadata.name}`)
    await until("its Pods to end", () => this.pods.length === 0)
  }

  /** Gives its Service an address, as a cloud does, and waits until it answers there. */
  async publish(ip: string): Promise<void> {
    const status = { loadBalancer: { ingress: [{ ip }] } }
    await this.#server.admin.patch("Service", this.controller, { status }, "status")
    await until("an answer", () => ask({ host: ip, port: 80 }).catch(() => undefined))
  }

  /** Until every Pod is of the latest kind and ready. Others may be ending. */
  async rolledOut(): Promise<void> {
    await until("the rollout", async () => {
      const { metadata, spec, status = {} } = await this.#deployment()
      const counts = [status.updatedReplicas, status.replicas, status.readyReplicas]
      return (
        status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
      )
    })
  }

  /** Until Pods of former kinds have gone. */
  async settled(): Promise<void> {
    const { spec } = await this.#deployment()
    await until("other Pods to end", () => this.#own().length === spec.replicas)
  }

  /** Names of those that run or end. */
  get pods(): readonly string[] {
    return this.#own().map((pod) => pod.name)
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true, force: true })
  }

  #own() {
    return this.#node.pods.filter((pod) => pod.name.startsWith(`${this.name}/`))
  }

  async #deployment(): Promise<ApiObject> {
    return (await this.#server.admin.get("Deployment", this.controller)) as ApiObject
  }
}

// What the conformance tests run against: a kube-apiserver with Kubernetes' own controllers and the definitions of the Gateway API, a node that runs
// their servers, and wick, which has addresses to give to Gateways.
import { join } from "node:path"
import { stringify } from "yaml"
import { type ApiServer, startApiServer } from "../../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../../harness/cluster/client.ts"
import { installGatewayApi } from "../../../harness/cluster/gateway-api.ts"
import { startWickIn } from "../../../harness/cluster/wick.ts"
import { root } from "../../../harness/paths.ts"
import { until } from "../../../harness/until.ts"
import type { Wick } from "../../../harness/wick.ts"
import type { Image } from "../../kubelet/container.ts"
import { Node, nodeFlags } from "../../kubelet/node.ts"

/** Of the network that build/network.sh makes. More than tests have Gateways at a time. */
const gatewayAddresses = Array.from({ length: 100 }, (_, at) => `10.244.200.${at + 1}`)

/** One that Gateways may ask for, and one that nobody has. */
export const usableAddress = "10.244.200.100"
export const unusableAddress = "192.0.2.1"

export const gatewayClass = "wick"

/** Made by build/conformance.sh. It stands in for the image that has the tests' servers. */
const echo: Image = { "": [join(root, "out/echo-basic")] }
const images = Object.fromEntries(
  ["v0.1.0", "v0.2.0"].map((tag) => [`registry.k8s.io/gateway-api/conformance/echo-basic:${tag}`, echo]),
)

const kinds = ["gatewayclasses", "gateways", "listenersets", "referencegrants", "backendtlspolicies"]
const routeKinds = ["http", "grpc", "tls", "tcp", "udp"].map((name) => `${name}routes`)

/** All objects of the Gateway API with their statuses, in YAML. */
export async function gatewayObjectsOf(server: ApiServer): Promise<string> {
  const lists = [...kinds, ...routeKinds].map((kind) =>
    server.admin.send("GET", `/apis/gateway.networking.k8s.io/v1/${kind}`),
  )
  const items = (await Promise.all(lists)).flatMap((list) => (list as { items: ApiObject[] }).items)
  return items
    .map(({ metadata: { managedFields: _, ...metadata }, ...rest }) => stringify({ ...rest, metadata }))
    .join("---\n")
}

export class Rig implements AsyncDisposable {
  readonly server: ApiServer
  readonly wick: Wick
  readonly #node: Node

  private constructor(server: ApiServer, node: Node, wick: Wick) {
    this.server = server
    this.#node = node
    this.wick = wick
  }

  /** All of it, when wick has accepted its GatewayClass. */
  static async start(): Promise<Rig> {
    const server = await startApiServer(...nodeFlags)
    await installGatewayApi(server)
    const node = await Node.start(server, { images })
    const wick = await startWickIn(server, {
      kubeconfig: server.adminKubeconfig(),
      // Its process is not the node's to run.
      node: "elsewhere",
      flags: [`--gateway-addresses=${gatewayAddresses.join(",")}`],
    })
    const rig = new Rig(server, node, wick)
    await rig.#makeClass()
    return rig
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wick.stop()
    await this.#node[Symbol.asyncDispose]()
    await this.server.stop()
  }

  async #makeClass(): Promise<void> {
    await this.server.admin.apply({
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "GatewayClass",
      metadata: { name: gatewayClass },
      spec: { controllerName: "wick.dev/gateway" },
    })
    await until("wick to accept its GatewayClass", async () => {
      const object = await this.server.admin.get("GatewayClass", gatewayClass)
      const conditions: readonly { type: string; status: string }[] = object?.status?.conditions ?? []
      return conditions.some(({ type, status }) => type === "Accepted" && status === "True")
    })
  }
}

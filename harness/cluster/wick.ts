// wick in a Pod, as far as anybody can tell: it knows the Pod's name and is let in by a kubeconfig. Its process runs beside the test.
import type { Json } from "../manifests.ts"
import { startWick, type Wick, type WickOptions } from "../wick.ts"
import type { ApiServer } from "./api-server.ts"
import { grant } from "./rights.ts"

export interface InCluster extends Omit<WickOptions, "manifests"> {
  /** `namespace/name` of its Pod, which is made; default `wick/wick-0` */
  readonly pod?: string
  /** labels of the Pod; default those of ingress-nginx's chart */
  readonly labels?: Readonly<Record<string, string>>
  /** that its Pod is bound to; default none */
  readonly node?: string
  /** another way to the API server, as of a link or a gate; without a kubeconfig only */
  readonly via?: string
}

/** Starts wick, with the rights of deploy/static/rbac.yaml unless there is a kubeconfig, and waits until it is healthy. */
export async function startWickIn(server: ApiServer, options: InCluster = {}): Promise<Wick> {
  const { pod = "wick/wick-0", labels = usualLabels, node, via, ...rest } = options
  const [namespace = "", name = ""] = pod.split("/")
  await server.admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } })
  const kubeconfig =
    rest.kubeconfig ?? (await grant(server, namespace, via === undefined ? {} : { via })).kubeconfig
  await server.admin.apply(podOf(namespace, name, labels, node))
  await server.admin.patch("Pod", pod, { status: running }, "status")
  const env = { POD_NAME: name, POD_NAMESPACE: namespace, ...rest.env }
  return startWick({ ...rest, kubeconfig, env })
}

const usualLabels = { "app.kubernetes.io/name": "ingress-nginx", "app.kubernetes.io/component": "controller" }

const running = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] }

function podOf(
  namespace: string,
  name: string,
  labels: Readonly<Record<string, string>>,
  nodeName?: string,
): Json {
  const spec = { containers: [{ name: "controller", image: "wick" }], ...(nodeName && { nodeName }) }
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace, name, labels }, spec }
}

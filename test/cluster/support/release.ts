// wick as a chart installs it: a Deployment behind a Service, with the probes, the hook and the labels of ingress-nginx's chart.
import { join } from "node:path"
import type { Image } from "../../kubelet/container.ts"
import type { Node } from "../../kubelet/node.ts"
import { ask } from "../../support/http.ts"
import { ingressClass, type Json, settings } from "../../support/manifests.ts"
import { nodeBinary, root } from "../../support/paths.ts"
import { until } from "../../support/until.ts"
import type { ApiServer } from "./api-server.ts"
import type { ApiObject } from "./client.ts"

/** The checkout, by the names that its programs have in an image. */
export const checkout: Image = {
  "/nginx-ingress-controller": [nodeBinary, join(root, "controller/main.ts")],
  "/wait-shutdown": [nodeBinary, join(root, "controller/main.ts"), "wait-shutdown"],
}

export interface Release {
  readonly namespace: string
  /** default `wick:1` */
  readonly image?: string
  /** default 2 */
  readonly replicas?: number
  /** default 300, as the chart */
  readonly graceSeconds?: number
  /** more flags of the controller */
  readonly flags?: readonly string[]
  /** `maxSurge`, `maxUnavailable` */
  readonly rollingUpdate?: Json
}

const name = "ingress-nginx-controller"
const labels = {
  "app.kubernetes.io/name": "ingress-nginx",
  "app.kubernetes.io/instance": "ingress",
  "app.kubernetes.io/component": "controller",
}

/** Installs or changes it. @returns the address of its Service, when it can be reached there */
export async function install(server: ApiServer, release: Release): Promise<string> {
  const { namespace } = release
  await server.admin.apply(
    ingressClass,
    settings(`${namespace}/${name}`, {}),
    serviceIn(namespace),
    deployment(release),
  )
  const found = await server.admin.get("Service", `${namespace}/${name}`)
  const host: string = found?.spec.clusterIP
  await until("an answer", () => ask({ host, port: 80 }).catch(() => undefined))
  return host
}

/** Until every Pod is of the latest kind and ready, and all others have gone. */
export function untilRolledOut(server: ApiServer, node: Node, { namespace }: Release): Promise<boolean> {
  return until("the rollout", async () => {
    const found = await server.admin.get("Deployment", `${namespace}/${name}`)
    const { metadata, spec, status = {} } = found as ApiObject
    const counts = [status.updatedReplicas, status.replicas, status.readyReplicas, node.pods.length]
    return (
      status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
    )
  })
}

function serviceIn(namespace: string): Json {
  const ports = Object.entries({ http: 80, https: 443 }).map(([name, port]) => ({
    name,
    port,
    targetPort: name,
    protocol: "TCP",
  }))
  const spec = { type: "LoadBalancer", selector: labels, ports }
  return { apiVersion: "v1", kind: "Service", metadata: { namespace, name, labels }, spec }
}

function deployment({
  namespace,
  replicas = 2,
  graceSeconds = 300,
  rollingUpdate,
  ...release
}: Release): Json {
  const pod = {
    serviceAccountName: "wick",
    terminationGracePeriodSeconds: graceSeconds,
    containers: [container(release)],
  }
  const spec = {
    replicas,
    selector: { matchLabels: labels },
    ...(rollingUpdate && { strategy: { type: "RollingUpdate", rollingUpdate } }),
    template: { metadata: { labels }, spec: pod },
  }
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name, labels }, spec }
}

function container({ image = "wick:1", flags = [] }: Omit<Release, "namespace">): Json {
  const field = (fieldPath: string) => ({ fieldRef: { fieldPath } })
  const health = { httpGet: { path: "/healthz", port: 10254 }, initialDelaySeconds: 10, periodSeconds: 10 }
  return {
    name: "controller",
    image,
    args: [
      "/nginx-ingress-controller",
      `--publish-service=$(POD_NAMESPACE)/${name}`,
      "--election-id=ingress-nginx-leader",
      "--controller-class=k8s.io/ingress-nginx",
      "--ingress-class=nginx",
      `--configmap=$(POD_NAMESPACE)/${name}`,
      ...flags,
    ],
    env: [
      { name: "POD_NAME", valueFrom: field("metadata.name") },
      { name: "POD_NAMESPACE", valueFrom: field("metadata.namespace") },
    ],
    ports: [
      { name: "http", containerPort: 80 },
      { name: "https", containerPort: 443 },
    ],
    lifecycle: { preStop: { exec: { command: ["/wait-shutdown"] } } },
    livenessProbe: { ...health, failureThreshold: 5 },
    readinessProbe: { ...health, failureThreshold: 3 },
  }
}

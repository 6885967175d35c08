import { createHash } from "node:crypto"
import type { Json } from "../../harness/manifests.ts"

// Objects as an API server sends them, with all that clients have left in them and nobody here reads.

/** A kind of object, made by its number. */
export type Served = (at: number) => Json

export const ingress: Served = (at) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: meta(at, {
    annotations: {
      "cert-manager.io/cluster-issuer": "letsencrypt",
      "kubectl.kubernetes.io/last-applied-configuration": filler(at, 1200),
      "nginx.ingress.kubernetes.io/proxy-body-size": "20m",
      "nginx.ingress.kubernetes.io/proxy-read-timeout": "120",
    },
  }),
  spec: {
    ingressClassName: "nginx",
    tls: [{ hosts: [`app-${at}.example.com`], secretName: `app-${at}-tls` }],
    rules: [
      {
        host: `app-${at}.example.com`,
        http: {
          paths: ["/", "/api"].map((path) => ({
            path,
            pathType: "Prefix",
            backend: { service: { name: `app-${at}`, port: { number: 80 } } },
          })),
        },
      },
    ],
  },
  status: { loadBalancer: { ingress: [{ ip: "203.0.113.10" }] } },
})

export const service: Served = (at) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: meta(at, {
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": filler(at, 500) },
  }),
  spec: {
    ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: "http" }],
    selector: { "app.kubernetes.io/name": `app-${at}` },
    clusterIP: address(at),
    clusterIPs: [address(at)],
    type: "ClusterIP",
    sessionAffinity: "None",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    internalTrafficPolicy: "Cluster",
  },
  status: { loadBalancer: {} },
})

/** A slice with so many endpoints. */
export function slice(endpoints: number): Served {
  return (at) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: meta(at, {
      generateName: `app-${at}-`,
      annotations: { "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-31T12:00:00Z" },
      ownerReferences: [
        { apiVersion: "v1", kind: "Service", name: `app-${at}`, uid: uid(at), controller: true },
      ],
    }),
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: Array.from({ length: endpoints }, (_, number) => ({
      addresses: [address(at * endpoints + number)],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: `node-${number % 50}`,
      zone: "zone-a",
      targetRef: { kind: "Pod", namespace: namespace(at), name: `app-${at}-${number}`, uid: uid(number) },
    })),
  })
}

function meta(at: number, more: Json): Json {
  return {
    name: `app-${at}-frontend`,
    namespace: namespace(at),
    uid: uid(at),
    resourceVersion: String(1_000_000 + at),
    generation: 1,
    creationTimestamp: "2026-01-31T12:00:00Z",
    labels: {
      "app.kubernetes.io/name": `app-${at}`,
      "app.kubernetes.io/managed-by": "Helm",
      "helm.sh/chart": "app-1.2.3",
      "kubernetes.io/service-name": `app-${at}`,
    },
    managedFields: [{ manager: "helm", operation: "Update", fieldsV1: { "f:metadata": filler(at, 600) } }],
    ...more,
  }
}

/** A hundred objects have one. */
function namespace(at: number): string {
  return `team-${Math.floor(at / 100)}-production`
}

function uid(at: number): string {
  const hex = createHash("sha256").update(String(at)).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  )
}

function address(at: number): string {
  return `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
}

function filler(at: number, bytes: number): string {
  return `${at} `.repeat(bytes).slice(0, bytes)
}

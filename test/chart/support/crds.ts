// Kinds of other projects that the chart makes objects of, as far as an API server has to know them: any content will do.
import type { Json } from "../../../harness/manifests.ts"

const foreign = [
  ["monitoring.coreos.com", "v1", "ServiceMonitor"],
  ["monitoring.coreos.com", "v1", "PrometheusRule"],
  ["keda.sh", "v1alpha1", "ScaledObject"],
  ["cert-manager.io", "v1", "Issuer"],
  ["cert-manager.io", "v1", "Certificate"],
  ["gateway.networking.k8s.io", "v1", "GatewayClass"],
] as const

const clusterWide = new Set<string>(["GatewayClass"])

export const crds: readonly Json[] = foreign.map(([group, version, kind]) => {
  const plural = `${kind.toLowerCase()}${kind.endsWith("s") ? "es" : "s"}`
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  }
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      // what is of the group of Kubernetes has to say so. Source: Kubernetes, KEP-1111
      annotations: { "api-approved.kubernetes.io": "unapproved, for tests" },
    },
    spec: {
      group,
      scope: clusterWide.has(kind) ? "Cluster" : "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  }
})

// Kinds of other projects that the chart makes objects of, as far as an API server has to know them: any content will do.
import type { Json } from "../../../harness/manifests.ts"

const foreign = [
  ["monitoring.coreos.com", "v1", "ServiceMonitor"],
  ["monitoring.coreos.com", "v1", "PrometheusRule"],
  ["keda.sh", "v1alpha1", "ScaledObject"],
  ["cert-manager.io", "v1", "Issuer"],
  ["cert-manager.io", "v1", "Certificate"],
] as const

export const crds: readonly Json[] = foreign.map(([group, version, kind]) => {
  const plural = `${kind.toLowerCase()}s`
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  }
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  }
})

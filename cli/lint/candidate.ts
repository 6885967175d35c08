import type { Around } from "../../controller/admission/around.ts"
import type { Finding } from "../../controller/admission/finding.ts"
import { noGatewayObjects } from "../../controller/model/gateway-objects.ts"
import type { Ingress, IngressBackend } from "../../controller/model/objects/ingress.ts"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { Service } from "../../controller/model/objects/service.ts"
import type { Snapshot } from "../../controller/model/snapshot.ts"
import { differencesOf } from "./findings.ts"
import { subjectsOf, surroundingsOf } from "./subjects.ts"

/**
 * What of an Ingress is served, and not as ingress-nginx serves it: what its author has written, by itself. What comes of other Ingresses, of Secrets,
 * or for all of the ConfigMap and the flags is no news to him; what is refused or without effect has a Problem.
 */
export function differencesOfCandidate(ingress: Ingress, around: Around): readonly Finding[] {
  const { options, settings } = around
  const [subject] = subjectsOf(surroundingsOf(objectsOf(ingress, around), options, settings, []), [])
  if (subject === undefined) return []
  return differencesOf(subject, true).flatMap(({ rule, what, before = "", now, evidence }) => {
    const own = evidence.find(({ object }) => object.kind === "Ingress")
    if (own === undefined) return []
    const message = `Not as in ingress-nginx [${rule}] ${what}. Now: ${now}. Before: ${before}`
    return [{ field: own.field, message }]
  })
}

function objectsOf(ingress: Ingress, { configMap, service }: Around): Snapshot {
  const backends = ingress.rules.flatMap(({ paths = [] }) => paths.map(({ backend }) => backend))
  const used = Map.groupBy(
    backends.filter((backend) => backend.kind === "service"),
    ({ name }) => `${ingress.meta.namespace}/${name}`,
  )
  return {
    ingresses: [ingress],
    services: new Map([...used].map(([name, by]) => [name, service(name) ?? awaited(by, ingress)])),
    endpointSlices: new Map(),
    secrets: new Map(),
    configMaps: new Map(configMap && [[qualifiedName(configMap.meta), configMap]]),
    pods: new Map(),
    nodes: new Map(),
    gateway: noGatewayObjects,
    problems: [],
  }
}

/** Services come after Ingresses as often as before: one that is not there yet is taken to have the ports that are asked for. */
function awaited(by: readonly ServiceBackend[], { meta }: Ingress): Service {
  const ports = by.flatMap(({ port }) =>
    port.kind === "number"
      ? [{ name: "", port: port.number, targetPort: port.number, protocol: "TCP" } as const]
      : [],
  )
  return {
    kind: "Service",
    meta: { ...meta, name: by[0]?.name ?? "", labels: {}, annotations: {} },
    type: "ClusterIP",
    clusterIp: "",
    externalName: "",
    trafficDistribution: "",
    externalIps: [],
    balancerAddresses: [],
    ports,
  }
}

type ServiceBackend = Extract<IngressBackend, { kind: "service" }>

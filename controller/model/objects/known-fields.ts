import { nearest } from "../../support/nearest.ts"
import { fieldPath } from "../field-path.ts"
import { shown } from "../shown.ts"
import { type Fields, fields, objectFields } from "./fields.ts"
import { gatewayFields } from "./gateway/gateway-fields.ts"
import type { Kind } from "./object.ts"
import { isRecord } from "./reader.ts"

// Which fields the objects have that people write by hand. Where objects come from an API server it has looked at them already.

const backend: Fields = {
  service: { name: true, port: fields("name number") },
  resource: fields("apiGroup kind name"),
}

/** Source: Kubernetes API reference, v1.34. */
const known: Readonly<Partial<Record<Kind, Fields>>> = {
  Ingress: objectFields({
    spec: {
      ingressClassName: true,
      defaultBackend: backend,
      rules: { host: true, http: { paths: { path: true, pathType: true, backend } } },
      tls: fields("hosts secretName"),
    },
    status: true,
  }),
  IngressClass: objectFields({
    spec: { controller: true, parameters: fields("apiGroup kind name namespace scope") },
  }),
  Service: objectFields({
    spec: fields(
      "selector clusterIP clusterIPs type externalIPs externalName sessionAffinity sessionAffinityConfig loadBalancerIP loadBalancerSourceRanges loadBalancerClass externalTrafficPolicy internalTrafficPolicy healthCheckNodePort publishNotReadyAddresses ipFamilies ipFamilyPolicy allocateLoadBalancerNodePorts trafficDistribution",
      { ports: fields("name port targetPort protocol nodePort appProtocol") },
    ),
    status: true,
  }),
  EndpointSlice: objectFields({
    addressType: true,
    endpoints: fields("addresses hostname nodeName zone targetRef deprecatedTopology hints", {
      conditions: fields("ready serving terminating"),
    }),
    ports: fields("name port protocol appProtocol"),
  }),
  ConfigMap: objectFields(fields("data binaryData immutable")),
  Secret: objectFields(fields("data stringData type immutable")),
  ...gatewayFields,
}

export interface UnknownField {
  /** as in a Problem */
  readonly path: string
  /** what follows the name of the field in a sentence */
  readonly state: string
}

/** Fields that no API server would take, with the nearest name of one. */
export function unknownFields(kind: Kind, value: unknown): readonly UnknownField[] {
  const all = known[kind]
  return all === undefined ? [] : [...unknownIn(value, all, "")]
}

function* unknownIn(value: unknown, all: Fields, path: string): Generator<UnknownField> {
  if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield* unknownIn(item, all, fieldPath(path, at))
  if (!isRecord(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const at = fieldPath(path, name)
    const below = Object.hasOwn(all, name) ? all[name] : undefined
    if (below === undefined) yield { path: at, state: unknownState(name, all) }
    else if (below !== true) yield* unknownIn(inner, below, at)
  }
}

function unknownState(name: string, all: Fields): string {
  const names = Object.keys(all)
  const meant = nearest(name, names)
  return `is unknown: ${meant === undefined ? `write ${names.join(" or ")}` : `did you mean ${shown(meant)}`}`
}

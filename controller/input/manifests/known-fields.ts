import { isRecord } from "../../model/objects/reader.ts"

/** Fields by their names; those of a list's items stand in the place of the list. `any`: nobody here looks below. */
type Fields = { readonly [name: string]: Fields | "any" }

const any = "any"

/** All of them `any`. */
function named(...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, any]))
}

const object: Fields = {
  ...named("apiVersion", "kind"),
  metadata: {
    ...named("name", "generateName", "namespace", "labels", "annotations", "creationTimestamp", "uid"),
    ...named("resourceVersion", "generation", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"),
    ...named("ownerReferences", "finalizers", "managedFields"),
  },
}

const backend: Fields = {
  service: { name: any, port: named("number", "name") },
  resource: named("apiGroup", "kind", "name"),
}

/** The fields of the kinds whose objects people write; Source: API reference of Kubernetes 1.34. */
export const fieldsOfKinds: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  [
    "Ingress",
    {
      ...object,
      ...named("status"),
      spec: {
        ingressClassName: any,
        defaultBackend: backend,
        tls: named("hosts", "secretName"),
        rules: { host: any, http: { paths: { path: any, pathType: any, backend } } },
      },
    },
  ],
  [
    "IngressClass",
    {
      ...object,
      spec: { controller: any, parameters: named("apiGroup", "kind", "name", "namespace", "scope") },
    },
  ],
  [
    "EndpointSlice",
    {
      ...object,
      addressType: any,
      endpoints: {
        ...named("addresses", "hostname", "nodeName", "targetRef", "zone", "hints", "deprecatedTopology"),
        conditions: named("ready", "serving", "terminating"),
      },
      ports: named("name", "port", "protocol", "appProtocol"),
    },
  ],
  [
    "Service",
    {
      ...object,
      ...named("status"),
      spec: {
        ...named("selector", "clusterIP", "clusterIPs", "type", "externalIPs", "sessionAffinity"),
        ...named("loadBalancerIP", "loadBalancerSourceRanges", "loadBalancerClass", "externalName"),
        ...named("externalTrafficPolicy", "healthCheckNodePort", "publishNotReadyAddresses"),
        ...named("sessionAffinityConfig", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"),
        ...named("allocateLoadBalancerNodePorts", "trafficDistribution"),
        ports: named("name", "protocol", "appProtocol", "port", "targetPort", "nodePort"),
      },
    },
  ],
  ["ConfigMap", { ...object, ...named("data", "binaryData", "immutable") }],
  ["Secret", { ...object, ...named("data", "stringData", "type", "immutable") }],
])

/** A field that is none of its kind's. */
interface UnknownField {
  /** from the object down: names, and indexes of lists */
  readonly path: readonly (string | number)[]
  readonly name: string
  /** those that may stand in its place: of its kind, and not written yet */
  readonly instead: readonly string[]
}

export function* unknownFields(
  value: unknown,
  fields: Fields,
  path: readonly (string | number)[] = [],
): Generator<UnknownField> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unknownFields(item, fields, [...path, index])
    return
  }
  if (!isRecord(value)) return
  for (const [name, part] of Object.entries(value)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    const instead = Object.keys(fields).filter((it) => !Object.hasOwn(value, it))
    if (known === undefined) yield { path: [...path, name], name, instead }
    else if (known !== "any") yield* unknownFields(part, known, [...path, name])
  }
}

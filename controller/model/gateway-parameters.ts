import type { ConfigMap } from "./objects/config-map.ts"
import type { ObjectRef } from "./objects/gateway/references.ts"
import { qualifiedName } from "./objects/object.ts"
import { shown } from "./shown.ts"

// What the ConfigMap says that a `parametersRef` of a GatewayClass or a Gateway names: how the Service of a Gateway is made. The Gateway's takes the place
// of its class's, key by key.

export interface GatewayParameters {
  readonly serviceType?: string
  readonly externalTrafficPolicy?: string
  readonly loadBalancerClass?: string
}

/** What it says, or why that cannot be used: a sentence without a final dot. */
export type ReadParameters =
  | { readonly kind: "read"; readonly parameters: GatewayParameters }
  | { readonly kind: "refused"; readonly message: string }

/** A key of the ConfigMap. */
interface Key {
  readonly field: keyof GatewayParameters
  readonly isGood: (value: string) => boolean
  /** what to write */
  readonly expected: string
}

const isOneOf =
  (...words: readonly string[]) =>
  (value: string) =>
    words.includes(value)

const keys: Readonly<Record<string, Key>> = {
  "service-type": {
    field: "serviceType",
    isGood: isOneOf("LoadBalancer", "NodePort", "ClusterIP"),
    expected: "LoadBalancer, NodePort or ClusterIP",
  },
  "external-traffic-policy": {
    field: "externalTrafficPolicy",
    isGood: isOneOf("Cluster", "Local"),
    expected: "Cluster or Local",
  },
  "load-balancer-class": {
    field: "loadBalancerClass",
    isGood: (value) => /^[a-z0-9]([a-z0-9./-]{0,251}[a-z0-9])?$/i.test(value),
    expected: "a name as in example.com/internal",
  },
}

type ConfigMaps = ReadonlyMap<string, ConfigMap>

/** @param refs of the class, then of the Gateway */
export function readGatewayParameters(
  refs: readonly (ObjectRef | undefined)[],
  configMaps: ConfigMaps,
): ReadParameters {
  let parameters: GatewayParameters = {}
  for (const ref of refs) {
    if (ref === undefined) continue
    const read = readOne(ref, configMaps)
    if (read.kind === "refused") return read
    parameters = { ...parameters, ...read.parameters }
  }
  return { kind: "read", parameters }
}

function readOne(ref: ObjectRef, configMaps: ConfigMaps): ReadParameters {
  if (ref.group !== "" || ref.kind !== "ConfigMap")
    return refused(
      `Cannot use parametersRef: it names a ${ref.kind} of group ${shown(ref.group)}; name a ConfigMap`,
    )
  const name = `ConfigMap ${shown(qualifiedName(ref))} of parametersRef`
  const configMap = configMaps.get(qualifiedName(ref))
  if (configMap === undefined) return refused(`Cannot use ${name}: it does not exist`)
  for (const [written, value] of Object.entries(configMap.data)) {
    const key = Object.hasOwn(keys, written) ? keys[written] : undefined
    if (key === undefined)
      return refused(`Cannot use ${name}: key ${shown(written)} is none of ${Object.keys(keys).join(", ")}`)
    if (!key.isGood(value))
      return refused(`Cannot use ${name}: key ${shown(written)} has to be ${key.expected}`)
  }
  return { kind: "read", parameters: fieldsOf(configMap) }
}

function fieldsOf({ data }: ConfigMap): GatewayParameters {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [keys[key]?.field, value]))
}

function refused(message: string): ReadParameters {
  return { kind: "refused", message }
}

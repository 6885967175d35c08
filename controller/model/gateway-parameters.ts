import type { ConfigMap } from "./objects/config-map.ts"
import type { Gateway } from "./objects/gateway/gateway.ts"
import type { GatewayClass } from "./objects/gateway/gateway-class.ts"
import type { ObjectRef } from "./objects/gateway/references.ts"
import { qualifiedName } from "./objects/object.ts"
import { shown } from "./shown.ts"

// What the ConfigMap says that a `parametersRef` of a GatewayClass or a Gateway names: where its listeners are, and how its Service is made. The Gateway's
// takes the place of its class's, key by key.

export interface GatewayParameters {
  /** `own`: the listeners have ports or addresses of their own; `shared`: those of Ingresses. Absent: not said */
  readonly placement?: Placement
  readonly serviceType?: string
  readonly externalTrafficPolicy?: string
  readonly loadBalancerClass?: string
  /** `true`: HTTP/3 at the ports of HTTPS, of which the Service has UDP, too */
  readonly http3?: string
}

type Placement = "own" | "shared"

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
  placement: { field: "placement", isGood: isOneOf("own", "shared"), expected: "own or shared" },
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
  http3: { field: "http3", isGood: isOneOf("true", "false"), expected: "true or false" },
}

type ConfigMaps = ReadonlyMap<string, ConfigMap>

/** What holds of a Gateway: what it says itself in the place of what its class says. What cannot be used is as if it was not there. */
export function parametersOfGateway(
  { infrastructure }: Pick<Gateway, "infrastructure">,
  its: Pick<GatewayClass, "parameters"> | undefined,
  configMaps: ConfigMaps,
): GatewayParameters {
  const read = [its?.parameters, infrastructure.parameters].map((ref) =>
    readGatewayParameters(ref, configMaps),
  )
  return Object.assign({}, ...read.map((it) => (it.kind === "read" ? it.parameters : {})))
}

/** @param ref absent: nothing is said */
export function readGatewayParameters(ref: ObjectRef | undefined, configMaps: ConfigMaps): ReadParameters {
  if (ref === undefined) return { kind: "read", parameters: {} }
  const wrong = (state: string): ReadParameters => {
    const message = `Cannot use ${ref.kind} ${shown(qualifiedName(ref))} as parameters: ${state}`
    return { kind: "refused", message }
  }
  if (ref.group !== "" || ref.kind !== "ConfigMap") return wrong("write kind ConfigMap")
  const configMap = configMaps.get(qualifiedName(ref))
  if (configMap === undefined) return wrong("it does not exist")
  for (const [written, value] of Object.entries(configMap.data)) {
    const key = Object.hasOwn(keys, written) ? keys[written] : undefined
    if (key === undefined)
      return wrong(`key ${shown(written)} is unknown: write ${Object.keys(keys).join(", ")}`)
    if (!key.isGood(value)) return wrong(`data.${written} has to be ${key.expected}, not ${shown(value)}`)
  }
  return { kind: "read", parameters: fieldsOf(configMap) }
}

function fieldsOf({ data }: ConfigMap): GatewayParameters {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [keys[key]?.field, value]))
}

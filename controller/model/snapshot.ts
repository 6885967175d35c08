import type { GatewayObjects } from "./gateway-objects.ts"
import type { ConfigMap } from "./objects/config-map.ts"
import type { EndpointSlice } from "./objects/endpoint-slice.ts"
import type { Ingress } from "./objects/ingress.ts"
import type { Node } from "./objects/node.ts"
import type { Pod } from "./objects/pod.ts"
import type { Secret } from "./objects/secret.ts"
import type { Service } from "./objects/service.ts"
import type { Problem } from "./problem.ts"

/**
 * The immutable view that a pass works on. Keys are `namespace/name`. An object that did not change is the same object in the next
 * snapshot, and so is a list or map of objects none of which changed: what is computed from one may be cached by identity.
 */
export interface Snapshot {
  /** only those that are ours by the class rules, in no particular order */
  readonly ingresses: readonly Ingress[]
  readonly services: ReadonlyMap<string, Service>
  /** by `namespace/service name` */
  readonly endpointSlices: ReadonlyMap<string, readonly EndpointSlice[]>
  /** those that an Ingress, a flag or the global settings name */
  readonly secrets: ReadonlyMap<string, Secret>
  readonly configMaps: ReadonlyMap<string, ConfigMap>
  /** of this controller's namespace, as far as they are read: its replicas. That one of them changes is no reason for a pass */
  readonly pods: ReadonlyMap<string, Pod>
  /** by name, as far as they are read; no reason for a pass either */
  readonly nodes: ReadonlyMap<string, Node>
  readonly gateway: GatewayObjects
  /** the zone of this controller, when it is known and makes a difference */
  readonly zone?: string
  /** what was wrong with the objects as they were read, and Ingresses left out for a reason their author should know */
  readonly problems: readonly Problem[]
}

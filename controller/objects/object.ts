import type { ConfigMap } from "./config-map.ts"
import type { EndpointSlice } from "./endpoint-slice.ts"
import type { Ingress } from "./ingress.ts"
import type { IngressClass } from "./ingress-class.ts"
import type { Secret } from "./secret.ts"
import type { Service } from "./service.ts"

/** Every kind that the controller reads. */
export type KubernetesObject = Ingress | IngressClass | Service | EndpointSlice | ConfigMap | Secret

export type Kind = KubernetesObject["kind"]

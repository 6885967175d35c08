import { kinds } from "../../model/objects/kinds.ts"
import type { Kind, ObjectKey } from "../../model/objects/object.ts"
import type { NamedKind } from "../provider/source.ts"

/** What is asked for of a kind. */
interface Wanted {
  /** for people */
  readonly title: string
  /** what nobody here is interested in is not sent at all. Objects that are read one by one are selected in the same way */
  readonly selectors: Selectors
}

/** Source: Kubernetes API concepts, "label and field selectors": parts separated by commas have to hold all. */
export interface Selectors {
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

const wanted: Readonly<Record<Kind, Wanted>> = {
  Ingress: { title: "Ingresses", selectors: {} },
  IngressClass: { title: "IngressClasses", selectors: {} },
  Service: { title: "Services", selectors: {} },
  EndpointSlice: {
    title: "EndpointSlices",
    selectors: { labelSelector: "kubernetes.io/service-name" }, // others belong to no Service
  },
  Secret: { title: "Secrets", selectors: { fieldSelector: "type!=helm.sh/release.v1" } },
  ConfigMap: { title: "ConfigMaps", selectors: { labelSelector: "OWNER!=TILLER" } }, // Helm's bookkeeping, up to version 2
  Namespace: { title: "Namespaces", selectors: {} },
  Pod: { title: "Pods", selectors: {} },
  Node: { title: "Nodes", selectors: {} },
  GatewayClass: { title: "GatewayClasses", selectors: {} },
  Gateway: { title: "Gateways", selectors: {} },
  ListenerSet: { title: "ListenerSets", selectors: {} },
  HTTPRoute: { title: "HTTPRoutes", selectors: {} },
  GRPCRoute: { title: "GRPCRoutes", selectors: {} },
  TLSRoute: { title: "TLSRoutes", selectors: {} },
  TCPRoute: { title: "TCPRoutes", selectors: {} },
  UDPRoute: { title: "UDPRoutes", selectors: {} },
  BackendTLSPolicy: { title: "BackendTLSPolicies", selectors: {} },
  ReferenceGrant: { title: "ReferenceGrants", selectors: {} },
}

/** What lists leave out of their items. */
export function typeOf(kind: Kind): { readonly kind: Kind; readonly apiVersion: string } {
  return { kind, apiVersion: kinds[kind].apiVersion }
}

/** Of any kind that somebody names; those that are not read here are in the core group. */
export function apiVersionOf(kind: string): string {
  return Object.hasOwn(kinds, kind) ? kinds[kind as Kind].apiVersion : "v1"
}

/** Of these a watch only tells that objects are others now; those that somebody names are read one by one (named-objects.ts). */
export function isNamedKind(kind: Kind): kind is NamedKind {
  return kind === "Secret" || kind === "ConfigMap"
}

/** For people: `EndpointSlices`. */
export function titleOf(kind: Kind): string {
  return wanted[kind].title
}

/** @param namespace "" is all of them */
export function pathOf(kind: Kind, namespace: string): string {
  const { apiVersion, plural, isNamespaced } = kinds[kind]
  const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const scope = isNamespaced && namespace !== "" ? `/namespaces/${encodeURIComponent(namespace)}` : ""
  return `${group}${scope}/${plural}`
}

/** Of one object. */
export function pathOfObject(kind: Kind, { namespace, name }: Omit<ObjectKey, "kind">): string {
  return `${pathOf(kind, namespace)}/${encodeURIComponent(name)}`
}

/** Those of the kind, and further ones that have to hold as well. */
export function selectorsOf(kind: Kind, further: Selectors = {}): Selectors {
  const { selectors } = wanted[kind]
  const labelSelector = joined(selectors.labelSelector, further.labelSelector)
  const fieldSelector = joined(selectors.fieldSelector, further.fieldSelector)
  return { ...(labelSelector !== "" && { labelSelector }), ...(fieldSelector !== "" && { fieldSelector }) }
}

function joined(...selectors: readonly (string | undefined)[]): string {
  return selectors.filter((selector) => selector !== undefined && selector !== "").join(",")
}

/** One object: who may not `get` may still list what has this name. */
export function byName(name: string): Selectors {
  return { fieldSelector: `metadata.name=${name}` }
}

import { portsConfigMapOf } from "../../model/gateway-ports.ts"
import { gatewayVersion } from "../../model/objects/gateway/names.ts"
import { kinds } from "../../model/objects/kinds.ts"
import { type Kind, qualifiedName } from "../../model/objects/object.ts"
import { replicaLabels } from "../../model/objects/pod.ts"
import { distinctBy } from "../../support/distinct.ts"
import { byName, isNamedKind, pathOf, type Selectors, selectorsOf, titleOf } from "./kinds.ts"
import type { ClusterFlags } from "./options.ts"
import type { Resource } from "./watch/delta.ts"

/** A resource that is watched, and what becomes of its objects. */
export interface Watched {
  readonly kind: Kind
  readonly resource: Resource
  /** nothing is served before it has been listed */
  readonly isRequired: boolean
  /** it is watched only while the API server has this kind, and no longer than that */
  readonly offeredWith?: Kind
}

/** What this controller may read, and who it is. */
export interface Reader {
  readonly readsClasses: boolean
  readonly pod: NameOption & { readonly labels: Readonly<Record<string, string>> }
}

interface NameOption {
  readonly namespace: string
  readonly name: string
}

/** Of objects that are read by name, a watch brings no content. */
const metadataOnly = {
  list: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  watch: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
}

/** What is watched under these flags; nothing that is of no use. */
export function watchedFor(options: ClusterFlags, reader: Reader): readonly Watched[] {
  return [...served(options, reader), ...namedElsewhere(options, reader), ...ownSurroundings(options, reader)]
}

/** What is served, in all namespaces or the one of `--watch-namespace`: there a Role is enough. */
function served(options: ClusterFlags, { readsClasses }: Reader): readonly Watched[] {
  const { watchNamespace, watchNamespaceSelector } = options
  const watched = (kind: Kind) => watchedIn(kind, watchNamespace)
  return [
    watched("Ingress"),
    ...(readsClasses ? [watched("IngressClass")] : []),
    ...(watchNamespaceSelector
      ? [watchedIn("Namespace", "", { labelSelector: watchNamespaceSelector.text })]
      : []),
    watched("Service"),
    watched("EndpointSlice"),
    watched("Secret"),
    watched("ConfigMap"),
    ...ofGateways(options),
  ]
}

/** The Gateway API, as far as it is installed; and the labels of namespaces, by which Gateways let routes in. */
function ofGateways(options: ClusterFlags): readonly Watched[] {
  const { watchNamespace, watchNamespaceSelector } = options
  const areNamespacesOpen = watchNamespace === "" && watchNamespaceSelector === undefined
  const watched = offeredKinds(options).map((kind) => ({
    ...watchedIn(kind, watchNamespace),
    offeredWith: kind,
  }))
  const [first] = watched
  if (first === undefined || !areNamespacesOpen) return watched
  return [...watched, withGateways({ ...watchedIn("Namespace", ""), isRequired: false })]
}

/** Kinds that the API server need not have. */
export function offeredKinds({ gatewayApi }: Pick<ClusterFlags, "gatewayApi">): readonly Kind[] {
  return gatewayApi ? (Object.keys(kinds) as Kind[]).filter(isOfGatewayApi) : []
}

function isOfGatewayApi(kind: Kind): boolean {
  return kinds[kind].apiVersion === gatewayVersion
}

/** What flags name outside of `--watch-namespace`. */
function namedElsewhere(options: ClusterFlags, { pod }: Reader): readonly Watched[] {
  const { watchNamespace, defaultSslCertificate, defaultBackendService, publishService } = options
  const { configmap, tcpServicesConfigmap, udpServicesConfigmap } = options
  const isElsewhere = (named: NameOption | undefined): named is NameOption =>
    named !== undefined && watchNamespace !== "" && named.namespace !== watchNamespace
  const services = [defaultBackendService, publishService].filter(isElsewhere)
  const configMaps = [configmap, tcpServicesConfigmap, udpServicesConfigmap].filter(isElsewhere)
  const ports = [portsConfigMapOf(options, pod.namespace)].filter(isElsewhere)
  return [
    ...distinctBy(configMaps, qualifiedName).map((named) => watchedByName("ConfigMap", named)),
    ...ports.map((named) => withGateways(watchedByName("ConfigMap", named))),
    ...[defaultSslCertificate].filter(isElsewhere).map((named) => watchedByName("Secret", named)),
    ...distinctBy(services, qualifiedName).map((named) => watchedByName("Service", named)),
    ...[defaultBackendService].filter(isElsewhere).map(slicesOf),
  ]
}

/** Whatever says where this controller runs: of use to zones and to the status of Ingresses, and worth no waiting. */
function ownSurroundings(options: ClusterFlags, { pod }: Reader): readonly Watched[] {
  const { enableTopologyAwareRouting } = options
  const hasStatus = options.updateStatus && !options.disableLeaderElection
  const publishesNodes =
    hasStatus && options.publishService === undefined && options.publishStatusAddress.length === 0
  const looksForOthers = publishesNodes || (hasStatus && options.updateStatusOnShutdown)
  const isExposed = portsConfigMapOf(options, pod.namespace) !== undefined
  const replicas = watchedIn("Pod", pod.namespace, replicasOf(pod))
  return [
    ...(looksForOthers ? [replicas] : []),
    ...(!looksForOthers && isExposed ? [withGateways(replicas)] : []),
    ...(!looksForOthers && enableTopologyAwareRouting
      ? [watchedIn("Pod", pod.namespace, byName(pod.name))]
      : []),
    ...(publishesNodes || enableTopologyAwareRouting ? [watchedIn("Node", "")] : []),
  ]
}

/** Of no use without Gateways. */
function withGateways(watched: Watched): Watched {
  return { ...watched, offeredWith: "Gateway" }
}

function replicasOf(pod: Reader["pod"]): Selectors {
  const labels = replicaLabels(pod.labels)
  if (labels.length === 0) return byName(pod.name)
  return { labelSelector: labels.map(([name, value]) => `${name}=${value}`).join(",") }
}

function slicesOf(service: NameOption): Watched {
  const selectors = { labelSelector: `kubernetes.io/service-name=${service.name}` }
  const watched = watchedIn("EndpointSlice", service.namespace, selectors)
  const title = `EndpointSlices of Service ${JSON.stringify(qualifiedName(service))}`
  return { ...watched, resource: { ...watched.resource, title } }
}

function watchedByName(kind: Kind, named: NameOption): Watched {
  const watched = watchedIn(kind, named.namespace, byName(named.name))
  const title = `${kind} ${JSON.stringify(qualifiedName(named))}`
  return { ...watched, resource: { ...watched.resource, title } }
}

/** @param namespace "" is all of them */
function watchedIn(kind: Kind, namespace: string, selectors?: Selectors): Watched {
  const resource: Resource = {
    title: titleOf(kind),
    path: pathOf(kind, namespace),
    selectors: { ...selectorsOf(kind, selectors) },
    ...(isNamedKind(kind) && { accept: metadataOnly }),
  }
  return { kind, resource, isRequired: kind !== "Pod" && kind !== "Node" }
}

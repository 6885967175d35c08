import type { Kind, KubernetesObject, ObjectKey } from "../../model/objects/object.ts"

// Objects that flags name: they are kept wherever they lie.

export interface NameOption {
  readonly namespace: string
  readonly name: string
}

/** Named as the flags. */
export interface FlagNames {
  readonly configmap: NameOption | undefined
  readonly tcpServicesConfigmap?: NameOption | undefined
  readonly udpServicesConfigmap?: NameOption | undefined
  readonly defaultSslCertificate: NameOption | undefined
  readonly defaultBackendService: NameOption | undefined
  readonly publishService: NameOption | undefined
  /** where there are some, no Gateway may have the ports of Ingresses at an address of `publishService` */
  readonly gatewayAddresses?: readonly string[]
  /** the record of which of our ports is which of a Gateway's */
  readonly gatewayPorts?: NameOption | undefined
}

export function namedByFlags(flags: FlagNames): readonly ObjectKey[] {
  return [...servedByFlags(flags), ...keyOfFlag("Service", flags.publishService)]
}

/** Those that traffic depends on. */
export function servedByFlags({
  configmap,
  tcpServicesConfigmap,
  udpServicesConfigmap,
  defaultSslCertificate,
  defaultBackendService,
  publishService,
  gatewayAddresses = [],
  gatewayPorts,
}: FlagNames): readonly ObjectKey[] {
  return [
    ...keyOfFlag("ConfigMap", gatewayPorts),
    ...keyOfFlag("ConfigMap", configmap),
    ...keyOfFlag("ConfigMap", tcpServicesConfigmap),
    ...keyOfFlag("ConfigMap", udpServicesConfigmap),
    ...keyOfFlag("Secret", defaultSslCertificate),
    ...keyOfFlag("Service", defaultBackendService),
    ...(gatewayAddresses.length > 0 ? keyOfFlag("Service", publishService) : []),
  ]
}

function keyOfFlag(kind: Kind, name: NameOption | undefined): readonly ObjectKey[] {
  return name ? [{ kind, ...name }] : []
}

/** An EndpointSlice is part of its Service. */
export function isNamed(object: KubernetesObject, keys: readonly ObjectKey[]): boolean {
  const isSlice = object.kind === "EndpointSlice"
  const kind = isSlice ? "Service" : object.kind
  const name = isSlice ? object.serviceName : object.meta.name
  const { namespace } = object.meta
  return keys.some((key) => key.kind === kind && key.namespace === namespace && key.name === name)
}

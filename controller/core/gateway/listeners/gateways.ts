import { fieldPath } from "../../../model/field-path.ts"
import { gatewayOf } from "../../../model/gateway-objects.ts"
import type { PortRange } from "../../../model/gateway-ports.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import type { GatewayListener } from "../../../model/objects/gateway/gateway-listener.ts"
import type { ListenerSet } from "../../../model/objects/gateway/listener-set.ts"
import type { Namespace } from "../../../model/objects/namespace.ts"
import { byAge } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { type HostRules, mayHave } from "../../options/keys/host-rules.ts"
import type { OwnPort } from "../../options/own-ports.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"
import { clientsOf, withoutAuthority } from "../tls/clients.ts"
import { type AttachableListener, allowsNamespace } from "./attachable.ts"
import { certificatesOf } from "./certificates.ts"
import { withConflicts } from "./conflicts.ts"
import { kindsOf, unsupportedProtocol, wrongKind } from "./kinds-of.ts"
import { unsupportedIn } from "./unsupported-listener.ts"

/** What listeners are read with. */
export interface ListenerWorld {
  readonly secrets: ReadonlyMap<string, TlsSecretState>
  readonly grants: Grants
  readonly namespaces: ReadonlyMap<string, Namespace>
  /** ports that no listener may have */
  readonly reserved: readonly OwnPort[]
  /** of a listener's port, as nginx listens on it */
  readonly portOf: (port: number) => number | undefined
  /** whether it may have those of Ingresses, too: it is among them, or at an address where they are not said to be */
  readonly mayHaveUsualPorts: boolean
  /** whether the one of HTTPS is also of HTTP/3 */
  readonly usesHttp3: boolean
  /** of a Gateway on the ports of Ingresses: which are of other Gateways, and which hosts routes may have */
  readonly portRange?: PortRange
  readonly hostRules?: HostRules
}

/** A Gateway with its ListenerSets. */
export interface GatewayListeners {
  readonly gateway: Gateway
  /** the Gateway's own first, then those of the older sets */
  readonly listeners: readonly AttachableListener[]
  /** that want to add to it, with why they may not */
  readonly sets: readonly { readonly set: ListenerSet; readonly refused?: Finding }[]
}

/** Those of the Gateway itself, and of each of its sets. */
export interface OwnedListeners {
  readonly byOwner: ReadonlyMap<Gateway | ListenerSet, readonly AttachableListener[]>
}

const noListeners: readonly AttachableListener[] = []

export function listenersOfOwner(
  { byOwner }: OwnedListeners,
  owner: Gateway | ListenerSet,
): readonly AttachableListener[] {
  return byOwner.get(owner) ?? noListeners
}

/** @param sets those that name this Gateway */
export function listenersOf(
  gateway: Gateway,
  sets: readonly ListenerSet[],
  world: ListenerWorld,
): GatewayListeners {
  const judged = sets.toSorted(byAge).map((set) => {
    const refused = refusedSet(set, gateway, world)
    return { set, ...(refused && { refused }) }
  })
  const owners = [gateway, ...judged.flatMap(({ set, refused }) => (refused === undefined ? set : []))]
  const listeners = owners.flatMap((owner) =>
    owner.listeners.map((spec, at) => read(spec, fieldPath("spec", "listeners", at), gateway, owner, world)),
  )
  const standing = withConflicts(listeners).map((it) => onFreePort(it, world))
  return { gateway, listeners: standing.map(closedWhereUnsupported), sets: judged }
}

function refusedSet(
  { meta }: ListenerSet,
  { meta: { namespace, name }, allowedListeners }: Gateway,
  { namespaces }: ListenerWorld,
): Finding | undefined {
  if (allowsNamespace(allowedListeners, namespace, meta.namespace, namespaces)) return undefined
  const message = `Cannot add listeners to Gateway ${shown(`${namespace}/${name}`)}: its spec.allowedListeners does not name namespace ${shown(meta.namespace)}`
  return { reason: "NotAllowed", code: "listener-set-refused", field: "spec.parentRef", message }
}

function read(
  spec: GatewayListener,
  field: string,
  gateway: Gateway,
  owner: Gateway | ListenerSet,
  world: ListenerWorld,
): AttachableListener {
  const { kind, meta } = owner
  const { pairs, secrets, unresolved } = certificatesOf(
    spec,
    field,
    { kind, namespace: meta.namespace },
    world.secrets,
    world.grants,
  )
  const clients =
    spec.protocol === "HTTPS" ? clientsOf(gateway, spec.port, world.secrets, world.grants) : undefined
  const refused = unsupportedProtocol(spec, field) ?? (clients && withoutAuthority(clients))
  const unresolvedRef = wrongKind(spec, field) ?? unresolved ?? clients?.unresolved
  return {
    ...{ gateway, owner, spec, field, pairs, secrets },
    kinds: kindsOf(spec),
    ...(clients && { clients }),
    ...(refused && { refused }),
    ...(unresolvedRef && { unresolved: unresolvedRef }),
    ...(world.hostRules && { hostRules: world.hostRules }),
    ...nameless(spec, field, meta.namespace, world.hostRules),
  }
}

/** Who may not have a host takes it by no listener, either. One for all hosts is there for its routes. */
function nameless(
  { hostname }: GatewayListener,
  field: string,
  namespace: string,
  hostRules: HostRules | undefined,
): Pick<AttachableListener, "isNameless" | "withheld"> {
  if (mayHave(hostRules, namespace, hostname)) return {}
  if (hostname === "") return { isNameless: true }
  const message = `host ${shown(hostname)} is not for namespace ${shown(namespace)} (admission-hosts): the listener has only names of its routes`
  const place = { code: "host-forbidden", field: fieldPath(field, "hostname") } as const
  return { isNameless: true, withheld: { ...place, reason: "NotAllowed", message } }
}

/** What the Gateway's other listeners say of the port comes first. */
function onFreePort(listener: AttachableListener, world: ListenerWorld): AttachableListener {
  if ((listener.conflict ?? listener.refused) !== undefined) return listener
  const refused = reservedPort(listener.spec, listener.field, world)
  return refused === undefined ? listener : { ...listener, refused }
}

/** What is wrong with its port comes first: one that is closed has its port and its names all the same. */
function closedWhereUnsupported(listener: AttachableListener): AttachableListener {
  if ((listener.conflict ?? listener.refused) !== undefined) return listener
  const refused = unsupportedIn(listener.spec, listener.field)
  return refused === undefined ? listener : { ...listener, refused, isClosed: true }
}

/** How the ports of Ingresses are read. */
const usualProtocols: Readonly<Record<string, readonly string[]>> = {
  "--http-port": ["HTTP"],
  "--https-port": ["HTTPS", "TLS"],
}

function reservedPort(
  { port, protocol }: GatewayListener,
  field: string,
  { reserved, portOf, portRange, mayHaveUsualPorts, usesHttp3 }: ListenerWorld,
): Finding | undefined {
  const at = portOf(port) ?? 0
  if (portRange !== undefined && at >= portRange.first && at <= portRange.last)
    return unavailablePort(port, field, "--gateway-port-range")
  const own = reserved.find((it) => it.port === portOf(port))
  if (own === undefined) return undefined
  if (protocol === "UDP")
    return usesHttp3 && own.flag === "--https-port"
      ? unavailablePort(port, field, "--https-port (HTTP/3)")
      : undefined
  const isFree = mayHaveUsualPorts && usualProtocols[own.flag]?.includes(protocol)
  return isFree ? undefined : unavailablePort(port, field, own.flag)
}

/** @param owner who has the port */
export function unavailablePort(port: number, field: string, owner: string): Finding {
  const message = `Cannot listen on port ${port}: ${owner} has it; use another port`
  return { reason: "PortUnavailable", code: "listener-refused", field: fieldPath(field, "port"), message }
}

/** The Gateway that a set names. */
export function parentOf(set: ListenerSet, gateways: ReadonlyMap<string, Gateway>): Gateway | undefined {
  return gateways.get(gatewayOf(set))
}

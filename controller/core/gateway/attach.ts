import { fieldPath } from "../../model/field-path.ts"
import { gatewayGroup } from "../../model/objects/gateway/names.ts"
import type { ParentRef } from "../../model/objects/gateway/references.ts"
import type { Namespace } from "../../model/objects/namespace.ts"
import type { GatewayRoute } from "../../model/objects/object.ts"
import { shown } from "../../model/shown.ts"
import { compact } from "../../support/compact.ts"
import { mayHave } from "../options/keys/host-rules.ts"
import type { Finding } from "./finding.ts"
import { intersection } from "./hosts/hostnames.ts"
import { type AttachableListener, allowsNamespace } from "./listeners/attachable.ts"

/** An object that routes may be attached to. */
export interface Parent {
  readonly listeners: readonly AttachableListener[]
  /** why nothing can be attached to it */
  readonly refused?: Finding
}

/** By kind and `namespace/name`. */
export type Parents = ReadonlyMap<string, Parent>

export function parentKey(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`
}

/** What a route means by a reference; undefined: it is none of ours. */
export function parentOf(ref: ParentRef, route: GatewayRoute, parents: Parents): Parent | undefined {
  const { group, kind, namespace = route.meta.namespace, name } = ref
  return group === gatewayGroup ? parents.get(parentKey(kind, namespace, name)) : undefined
}

/** A route that is served by a listener, under these names; none: under the listener's. */
interface Attachment {
  readonly listener: AttachableListener
  /** what the route says of names, and what is left of that on this listener */
  readonly names: readonly { readonly own: string; readonly served: string }[]
}

/** What became of one of a route's parents. */
export interface AttachedParent {
  readonly ref: ParentRef
  readonly attachments: readonly Attachment[]
  /** why there are none */
  readonly refused?: Finding
  /** a name that the route's namespace may not have */
  readonly withheld?: Finding
}

/** The parents of a route that are ours. */
export function attachmentsOf(
  route: GatewayRoute,
  parents: Parents,
  namespaces: ReadonlyMap<string, Namespace>,
): readonly AttachedParent[] {
  const attached = route.parents.flatMap((ref, at) => {
    const parent = parentOf(ref, route, parents)
    if (parent === undefined) return []
    return [attachTo(parent, ref, fieldPath("spec", "parentRefs", at), route, namespaces)]
  })
  return compact(attached)
}

function attachTo(
  parent: Parent,
  ref: ParentRef,
  field: string,
  route: GatewayRoute,
  namespaces: ReadonlyMap<string, Namespace>,
): AttachedParent {
  const not = (reason: string, state: string): AttachedParent => {
    const message = `Cannot attach to ${ref.kind} ${shown(`${ref.namespace ?? route.meta.namespace}/${ref.name}`)}: ${state}`
    return { ref, attachments: [], refused: { reason, code: "route-detached", field, message } }
  }
  const meant = parent.listeners.filter(
    ({ spec }) =>
      (ref.sectionName === undefined || ref.sectionName === spec.name) &&
      (ref.port === undefined || ref.port === spec.port),
  )
  if (meant.length === 0)
    return not("NoMatchingParent", parent.refused?.message ?? `${wanted(ref)}, and it has no such listener`)
  const allowing = meant.filter((listener) => allows(listener, route, namespaces))
  if (allowing.length === 0)
    return not(
      "NotAllowedByListeners",
      `no listener allows a ${route.kind} of namespace ${shown(route.meta.namespace)}`,
    )
  const found = allowing.flatMap((listener) => attach(listener, hostnamesOf(route)))
  if (found.length === 0) return not("NoMatchingListenerHostname", "no hostname is one of its listeners'")
  const { attachments, foreign } = permitted(found, route.meta.namespace)
  if (foreign === undefined) return { ref, attachments }
  const what = foreign === "" ? "every host" : `host ${shown(foreign)}`
  const { refused } = not(
    "NotAllowedByListeners",
    `${what} is not for namespace ${shown(route.meta.namespace)} (admission-hosts)`,
  )
  const withheld = refused && ({ ...refused, code: "host-forbidden" } as const)
  if (withheld === undefined) return { ref, attachments }
  return attachments.length === 0 ? { ref, attachments, refused: withheld } : { ref, attachments, withheld }
}

/** On the ports of Ingresses a namespace has no more hosts than its Ingresses may have. */
function permitted(all: readonly Attachment[], namespace: string) {
  const isFor = ({ hostRules }: AttachableListener, name: string) => mayHave(hostRules, namespace, name)
  const foreign = all.flatMap(({ listener, names }) => names.filter(({ served }) => !isFor(listener, served)))
  const attachments = all.flatMap(({ listener, names }): readonly Attachment[] => {
    const own = names.filter(({ served }) => isFor(listener, served))
    return own.length === 0 ? [] : [{ listener, names: compact(own) }]
  })
  return { attachments: compact(attachments), foreign: foreign[0]?.served }
}

function wanted({ sectionName, port }: ParentRef): string {
  return [
    ...(sectionName === undefined ? [] : [`sectionName is ${shown(sectionName)}`]),
    ...(port === undefined ? [] : [`port is ${port}`]),
  ].join(" and ")
}

function allows(
  { kinds, spec, owner }: AttachableListener,
  { kind, meta }: GatewayRoute,
  namespaces: ReadonlyMap<string, Namespace>,
): boolean {
  if (!kinds.some((it) => it.kind === kind)) return false
  const { namespaces: allowed } = spec.allowedRoutes
  return allowsNamespace(allowed, owner.meta.namespace, meta.namespace, namespaces)
}

function hostnamesOf(route: GatewayRoute): readonly string[] {
  return "hostnames" in route ? route.hostnames : []
}

function attach(listener: AttachableListener, hostnames: readonly string[]): readonly Attachment[] {
  const { hostname } = listener.spec
  if (hostnames.length === 0) return [{ listener, names: [{ own: "", served: hostname }] }]
  const names = hostnames.flatMap((own) => {
    const served = intersection(own, hostname)
    return served === undefined ? [] : [{ own, served }]
  })
  return names.length === 0 ? [] : [{ listener, names }]
}

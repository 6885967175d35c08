import type { ConfigMap } from "../objects/config-map.ts"
import type { Ingress } from "../objects/ingress.ts"
import type { KubernetesObject } from "../objects/object.ts"
import type { ObjectEvent, ObjectReference } from "../provider/event.ts"
import type { Snapshot } from "../store/snapshot.ts"

/** What changes are told of. */
export type Seen = Pick<Snapshot, "ingresses" | "configMaps">

/** Before anything has been seen. */
export const nothingSeen: Seen = { ingresses: [], configMaps: new Map() }

/**
 * The Events of what is new, changed, or ours now and was not before. Reasons and types are those of ingress-nginx.
 *
 * @param configMaps `namespace/name` of those whose changes are told
 */
export function changeEvents(before: Seen, after: Seen, configMaps: readonly string[]): ObjectEvent[] {
  return [
    ...ingressesOf(before, after).map(syncEvent),
    ...configMaps.flatMap((name) => configMapEvent(before.configMaps.get(name), after.configMaps.get(name))),
  ]
}

/** An Ingress that did not change is the same object, and a list in which none did is the same list. */
function ingressesOf(before: Seen, after: Seen): readonly Ingress[] {
  if (before.ingresses === after.ingresses) return []
  const known = new Set(before.ingresses)
  return after.ingresses.filter((ingress) => !known.has(ingress))
}

function syncEvent(ingress: Ingress): ObjectEvent {
  return { object: referenceTo(ingress), type: "Normal", reason: "Sync", message: "Scheduled for sync" }
}

/** One that is deleted leaves nothing that an Event could be about. */
function configMapEvent(before: ConfigMap | undefined, after: ConfigMap | undefined): readonly ObjectEvent[] {
  if (after === undefined || after === before) return []
  const { namespace, name } = after.meta
  const reason = before === undefined ? "CREATE" : "UPDATE"
  return [{ object: referenceTo(after), type: "Normal", reason, message: `ConfigMap ${namespace}/${name}` }]
}

export function referenceTo({ kind, meta: { namespace, name, uid } }: KubernetesObject): ObjectReference {
  return { kind, namespace, name, uid }
}

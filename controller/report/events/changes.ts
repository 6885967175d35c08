import type { ObjectEvent, ObjectReference } from "../../input/provider/event.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import type { KubernetesObject } from "../../model/objects/object.ts"
import type { Snapshot } from "../../model/snapshot.ts"

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
    ...newIngresses(before.ingresses, after.ingresses).map(syncEvent),
    ...configMaps.flatMap((name) => configMapEvent(before.configMaps.get(name), after.configMaps.get(name))),
  ]
}

/** An Ingress that did not change is the same object, and mostly in the same place: only between the first change and the last one is looked. */
function newIngresses(before: readonly Ingress[], after: readonly Ingress[]): readonly Ingress[] {
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const known = new Set(before.slice(head, before.length - tail))
  return after.slice(head, after.length - tail).filter((ingress) => !known.has(ingress))
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

import { qualifiedName } from "../../model/objects/object.ts"
import { type Pod, replicaLabels } from "../../model/objects/pod.ts"

/**
 * The Pods that do what this controller does: those of its namespace that have its own Pod's labels, of whichever revision; it is one of
 * them. A Pod without labels is the only one.
 *
 * @param own the Pod that this controller is
 * @returns undefined as long as that is not known
 */
export function replicasOf(
  pods: ReadonlyMap<string, Pod>,
  own: { readonly namespace: string; readonly name: string },
): readonly Pod[] | undefined {
  const pod = pods.get(qualifiedName(own))
  if (pod === undefined) return undefined
  const labels = replicaLabels(pod.meta.labels)
  const isAlike = ({ meta }: Pod) =>
    meta.namespace === own.namespace && labels.every(([name, value]) => meta.labels[name] === value)
  return labels.length === 0 ? [pod] : [...pods.values()].filter(isAlike)
}

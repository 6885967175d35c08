import { referencesIn } from "../../controller/core/annotations/references.ts"
import type { Options } from "../../controller/core/options/flags.ts"
import { referencesInSettings } from "../../controller/core/options/references.ts"
import { referencesInStreams } from "../../controller/core/streams/references.ts"
import type { Change } from "../../controller/input/provider/source.ts"
import { Store } from "../../controller/input/store/store.ts"
import type { IngressClass } from "../../controller/model/objects/ingress-class.ts"
import { nameOf, qualifiedName } from "../../controller/model/objects/object.ts"
import type { Snapshot } from "../../controller/model/snapshot.ts"
import { awaitedGateways, awaitedKey } from "./awaited-gateways.ts"

/** The objects of a cluster as the old controller sees them. */
export interface LintObjects {
  readonly objects: Snapshot
  /** Ingresses of other controllers, as `namespace/name` */
  readonly others: readonly string[]
  /** objects of the Gateway API that are taken to be there, by kind and name */
  readonly awaited: ReadonlySet<string>
  /** whatever is not there does not exist */
  readonly isComplete: boolean
}

/**
 * Puts objects into the controller's own store, which knows whose Ingresses they are.
 *
 * @param isComplete they come from an API server. A directory may lack the IngressClass: then the one of the flags is taken to exist
 */
export function lintObjectsOf(
  changes: readonly Change[],
  options: Options,
  isComplete: boolean,
): LintObjects {
  const hasClasses = changes.some((change) => change.kind === "set" && change.object.kind === "IngressClass")
  const store = new Store({
    ...options,
    pod: { namespace: "", name: "" },
    readsClasses: true,
    reportsUnassigned: false,
    referencesOf: (ingress) => referencesIn(ingress, options.annotationsPrefix),
    referencesOfSettings: referencesInSettings,
    referencesOfStreams: referencesInStreams,
  })
  if (!hasClasses && !isComplete) store.apply([{ kind: "set", object: usualClass(options) }])
  store.apply(changes)
  const awaited = isComplete ? [] : awaitedGateways(changes, options.gatewayControllerName)
  store.apply(awaited)
  const objects = store.snapshot()
  const ours = new Set(objects.ingresses.map(({ meta }) => qualifiedName(meta)))
  const all = changes.flatMap((change) =>
    change.kind === "set" && change.object.kind === "Ingress" ? [qualifiedName(change.object.meta)] : [],
  )
  const awaitedKeys = awaited.flatMap((change) =>
    change.kind === "set" ? awaitedKey(nameOf(change.object)) : [],
  )
  const others = [...new Set(all)].filter((name) => !ours.has(name))
  return { objects, others, awaited: new Set(awaitedKeys), isComplete }
}

function usualClass({ ingressClass, controllerClass }: Options): IngressClass {
  const meta = { namespace: "", name: ingressClass, uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "IngressClass", meta, controller: controllerClass }
}

import { referencesIn } from "../../../../controller/core/annotations/references.ts"
import { referencesInSettings } from "../../../../controller/core/options/references.ts"
import { referencesInStreams } from "../../../../controller/core/streams/references.ts"
import type { Change } from "../../../../controller/input/provider/source.ts"
import { Store, type StoreOptions } from "../../../../controller/input/store/store.ts"
import { parseLabelSelector } from "../../../../controller/model/objects/label-selector.ts"
import { type KubernetesObject, keyOf } from "../../../../controller/model/objects/object.ts"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
import type { Snapshot } from "../../../../controller/model/snapshot.ts"
import { ingress, ingressClass, type Json } from "../../../../harness/manifests.ts"

const flags: StoreOptions = {
  ingressClass: "nginx",
  controllerClass: "k8s.io/ingress-nginx",
  ingressClassByName: false,
  watchIngressWithoutClass: false,
  readsClasses: true,
  watchNamespace: "",
  gatewayControllerName: "wick.dev/gateway",
  watchNamespaceSelector: undefined,
  configmap: { namespace: "ingress", name: "settings" },
  defaultBackendService: undefined,
  defaultSslCertificate: undefined,
  publishService: undefined,
  enableTopologyAwareRouting: false,
  pod: { namespace: "ingress", name: "wick-0" },
  reportsUnassigned: true,
  referencesOf: (ingress) => referencesIn(ingress, "nginx.ingress.kubernetes.io"),
  referencesOfSettings: referencesInSettings,
  referencesOfStreams: referencesInStreams,
}

export function object(value: Json): KubernetesObject {
  const parsed = parseObject(value, { firstSeenMs: () => 0, origin: "" })
  if (parsed.kind !== "object") throw new Error(JSON.stringify(parsed))
  return parsed.object
}

/** A change that puts an object as it is written. */
export const set = (value: Json): Change => ({ kind: "set", object: object(value) })
export const remove = (value: Json): Change => ({ kind: "delete", key: keyOf(object(value)) })

/** @param options in the place of usual flags */
export function storeOf(values: readonly Json[], options: Partial<StoreOptions> = {}): Store {
  const store = new Store({ ...flags, ...options })
  store.apply(values.map(set))
  return store
}

/** An Ingress whose class is said in another way than by ingressClassName. */
export function classed(name: string, className: string | undefined, annotation?: string): Json {
  const [namespace, plain] = name.split("/")
  const annotations = annotation === undefined ? {} : { "kubernetes.io/ingress.class": annotation }
  const spec = className === undefined ? {} : { ingressClassName: className }
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { namespace, name: plain, annotations },
    spec,
  }
}

/** Of another controller. */
export const otherClass: Json = {
  ...ingressClass,
  metadata: { name: "other" },
  spec: { controller: "example.com/other" },
}
export const namesOf = (snapshot: Snapshot) => snapshot.ingresses.map(({ meta }) => meta.name).sort()
export const cart = ingress("shop/cart", "cart.test/ → cart:80")

export function namespace(name: string, labels: Readonly<Record<string, string>>): Json {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }
}

export function selector(text: string) {
  const parsed = parseLabelSelector(text)
  if (parsed.kind === "refused") throw new Error(parsed.reason)
  return parsed.value
}

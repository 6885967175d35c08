import { shown } from "../../../model/shown.ts"
import { qualify } from "../../annotations/references.ts"
import { type Denied, deny, type IngressContext } from "./ingress-context.ts"

/** Finds an object of one kind by its full name. */
type Find<T> = (context: IngressContext, name: string) => T | undefined

export interface Reference<T> {
  /** the annotation, without prefix */
  readonly annotation: string
  readonly kind: "ConfigMap" | "Secret"
  readonly find: Find<T>
  /** of a denial, as `deny` takes it */
  readonly outcome?: string
}

/** The object that an annotation names, and its full name for messages. */
export interface Referenced<T> {
  readonly object: T
  readonly name: string
}

/** Looks up what an annotation names; without it the Ingress is denied. */
export function referenced<T>(
  { annotation, kind, find, outcome }: Reference<T>,
  text: string,
  context: IngressContext,
): Referenced<T> | Denied {
  const own = context.ingress.meta.namespace
  const { namespace, name: plain } = qualify(text, own)
  const name = `${namespace}/${plain}`
  if (namespace !== own && !context.settings.allowsCrossNamespaceResources) {
    const remedy = 'the ConfigMap\'s key "allow-cross-namespace-resources" would allow it'
    const state = `Cannot use ${kind} ${shown(name)}: it is not in namespace "${own}", ${remedy}`
    return deny(context, annotation, "reference-forbidden", state, outcome)
  }
  const object = find(context, name)
  if (object !== undefined) return { object, name: shown(name) }
  const state = `Cannot use ${kind} ${shown(name)}: it does not exist`
  return deny(context, annotation, "reference-missing", state, outcome)
}

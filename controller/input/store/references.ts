import type { Ingress, IngressBackend } from "../../model/objects/ingress.ts"
import { isSubdomain } from "../../model/objects/meta.ts"
import { type Kind, type ObjectKey, qualifiedName } from "../../model/objects/object.ts"
import { isLabel } from "../../support/host-name.ts"

/** The objects that something names outside of what every object of its kind has, as annotations do. */
export type ReferencesOf<T> = (object: T) => readonly ObjectKey[]

/**
 * Counts by how many Ingresses, flags and settings each object is referenced, whether it exists or not, so that a change of any other Service,
 * EndpointSlice, Secret or ConfigMap is no reason for a pass.
 */
export class References {
  readonly #counts = new Map<Kind, Map<string, number>>()
  readonly #names = new Map<Kind, ReadonlySet<string>>()
  readonly #changed: (kind: Kind, name: string) => void

  /** @param changed this object, by `namespace/name`, is referenced now and was not before, or the other way round */
  constructor(changed: (kind: Kind, name: string) => void) {
    this.#changed = changed
  }

  /** What one object references takes the place of what it, or nothing, referenced before. */
  replace(before: readonly ObjectKey[], after: readonly ObjectKey[]): void {
    // in this order, so that what stays is never without a reference
    for (const key of after.filter(mayExist)) this.#count(key, 1)
    for (const key of before.filter(mayExist)) this.#count(key, -1)
  }

  /** @param name `namespace/name` */
  has(kind: Kind, name: string): boolean {
    return this.#counts.get(kind)?.has(name) === true
  }

  /** `namespace/name` of each object of a kind that is referenced; the same set while it does not change. */
  names(kind: Kind): ReadonlySet<string> {
    const known = this.#names.get(kind)
    if (known !== undefined) return known
    const names = new Set(this.#counts.get(kind)?.keys())
    this.#names.set(kind, names)
    return names
  }

  #count(key: ObjectKey, by: number): void {
    const { kind } = key
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    this.#counts.set(kind, counts)
    const name = qualifiedName(key)
    const before = counts.get(name) ?? 0
    if (before + by > 0) counts.set(name, before + by)
    else counts.delete(name)
    if (before > 0 && before + by > 0) return
    this.#names.delete(kind)
    this.#changed(kind, name)
  }
}

/** Names come from users: of one that no object can have, nobody need be asked. */
function mayExist({ namespace, name }: ObjectKey): boolean {
  return isLabel(namespace) && isSubdomain(name)
}

/** The objects that an Ingress references. @param referencesOf those that its annotations name */
export function referencedBy(ingress: Ingress, referencesOf: ReferencesOf<Ingress>): readonly ObjectKey[] {
  return [...servicesOf(ingress), ...secretsOf(ingress), ...referencesOf(ingress)]
}

/** The Secrets of an Ingress's tls section; they always lie in its namespace. */
function secretsOf({ meta: { namespace }, tls }: Ingress): readonly ObjectKey[] {
  return tls.flatMap(({ secretName }) =>
    secretName === "" ? [] : [{ kind: "Secret", namespace, name: secretName } as const],
  )
}

/** The Services of an Ingress's rules; they always lie in its namespace. */
function servicesOf({ meta: { namespace }, defaultBackend, rules }: Ingress): readonly ObjectKey[] {
  const paths = rules.flatMap((rule) => rule.paths ?? [])
  const backends: readonly (IngressBackend | undefined)[] = [
    defaultBackend,
    ...paths.map((path) => path.backend),
  ]
  return backends.flatMap((backend) =>
    backend?.kind === "service" ? [{ kind: "Service", namespace, name: backend.name } as const] : [],
  )
}

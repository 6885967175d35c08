import type { Ingress, IngressBackend } from "../objects/ingress.ts"
import { type Kind, type ObjectKey, qualifiedName } from "../objects/object.ts"

/** The objects that an Ingress names outside of its rules, `annotations/mentions.ts`. */
export type MentionsOf = (ingress: Ingress) => readonly ObjectKey[]

/**
 * Counts which objects our Ingresses mention, so that a change of any other Service, EndpointSlice, Secret or ConfigMap is no reason for a
 * pass.
 */
export class References {
  readonly #mentionsOf: MentionsOf
  readonly #counts = new Map<Kind, Map<string, number>>()
  readonly #changed: (kind: Kind) => void

  /** @param changed an object of this kind is mentioned now and was not before, or the other way round */
  constructor(mentionsOf: MentionsOf, changed: (kind: Kind) => void) {
    this.#mentionsOf = mentionsOf
    this.#changed = changed
  }

  add(ingress: Ingress): void {
    for (const key of this.#keysOf(ingress)) this.#count(key, 1)
  }

  remove(ingress: Ingress): void {
    for (const key of this.#keysOf(ingress)) this.#count(key, -1)
  }

  /** @param name `namespace/name` */
  has(kind: Kind, name: string): boolean {
    return this.#counts.get(kind)?.has(name) === true
  }

  /** `namespace/name` of each object of a kind that is mentioned. */
  names(kind: Kind): Iterable<string> {
    return this.#counts.get(kind)?.keys() ?? []
  }

  #count({ kind, namespace, name }: ObjectKey, by: number): void {
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    this.#counts.set(kind, counts)
    const key = qualifiedName({ namespace, name })
    const before = counts.get(key) ?? 0
    if (before + by > 0) counts.set(key, before + by)
    else counts.delete(key)
    if (before === 0 || before + by === 0) this.#changed(kind)
  }

  #keysOf(ingress: Ingress): readonly ObjectKey[] {
    return [...servicesOf(ingress), ...secretsOf(ingress), ...this.#mentionsOf(ingress)]
  }
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

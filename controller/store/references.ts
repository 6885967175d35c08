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
  readonly #counts = new Map<string, number>()

  constructor(mentionsOf: MentionsOf) {
    this.#mentionsOf = mentionsOf
  }

  add(ingress: Ingress): void {
    for (const key of this.#keysOf(ingress)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  remove(ingress: Ingress): void {
    for (const key of this.#keysOf(ingress)) {
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }

  /** @param name `namespace/name` */
  has(kind: Kind, name: string): boolean {
    return this.#counts.has(`${kind} ${name}`)
  }

  /** Every object once. */
  #keysOf(ingress: Ingress): ReadonlySet<string> {
    const named = [...servicesOf(ingress), ...this.#mentionsOf(ingress)]
    return new Set(named.map((key) => `${key.kind} ${qualifiedName(key)}`))
  }
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

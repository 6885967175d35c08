import type { Ingress, IngressBackend } from "../objects/ingress.ts"

/**
 * Counts which Services our Ingresses mention, so that a change of any other Service or EndpointSlice is no reason for a pass. Keys are
 * `namespace/name`; a Service always lies in the namespace of its Ingress.
 */
export class References {
  readonly #counts = new Map<string, number>()

  add(ingress: Ingress): void {
    for (const key of servicesOf(ingress)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  remove(ingress: Ingress): void {
    for (const key of servicesOf(ingress)) {
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }

  has(key: string): boolean {
    return this.#counts.has(key)
  }
}

/** Every Service that an Ingress mentions, once. */
export function servicesOf(ingress: Ingress): ReadonlySet<string> {
  const paths = ingress.rules.flatMap((rule) => rule.paths ?? [])
  const backends: readonly (IngressBackend | undefined)[] = [
    ingress.defaultBackend,
    ...paths.map((path) => path.backend),
  ]
  const names = backends.flatMap((backend) => (backend?.kind === "service" ? [backend.name] : []))
  return new Set(names.map((name) => `${ingress.meta.namespace}/${name}`))
}

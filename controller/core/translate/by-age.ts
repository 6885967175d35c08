import type { IngressClaims } from "./ingress/claim.ts"
import { byPrecedence, placeOf } from "./order.ts"

const nobody: readonly IngressClaims[] = []

/** Which Ingresses name a thing: the oldest first, each once. */
export class ByAge {
  readonly #lists = new Map<string, IngressClaims[]>()

  of(name: string): readonly IngressClaims[] {
    return this.#lists.get(name) ?? nobody
  }

  add(names: Iterable<string>, claims: IngressClaims): void {
    for (const name of names) {
      const list = this.#lists.get(name)
      if (list === undefined) this.#lists.set(name, [claims])
      else list.splice(placeOf(list, claims, byPrecedence), 0, claims)
    }
  }

  remove(names: Iterable<string>, claims: IngressClaims): void {
    for (const name of names) {
      const left = this.of(name).filter((other) => other !== claims)
      if (left.length > 0) this.#lists.set(name, left)
      else this.#lists.delete(name)
    }
  }
}

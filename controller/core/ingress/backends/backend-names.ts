import { compact } from "../../../support/compact.ts"
import { compareText } from "../../../support/order.ts"
import { type BackendRef, baseKey, defaultBackendName } from "../../declared/backend-ref.ts"
import { byPrecedence } from "../order.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"

/** The first route that uses a backend. */
export interface FirstUse {
  readonly ref: BackendRef
  readonly ingress: ParsedIngress
  /** which of the Ingress's routes it is */
  readonly at: number
  /** it is only a fallback, and comes after all that are not, so that it takes nobody's name */
  readonly isFallback: boolean
}

/**
 * The names of backends. That of ingress-nginx cannot tell `a-b/c` from `a/b-c`: the one that is used first has it, another one gets its full
 * key, which holds a slash and so is nobody's short name. Where only some paths of a Service have canaries, the others keep its name.
 */
export class BackendNames {
  readonly #names = new Map<string, string>()
  /** short name → those who want it: nearly always one */
  readonly #groups = new Map<string, readonly FirstUse[]>()
  #touched = new Set<string>()

  /** @param use undefined: it is used no more */
  put({ key, shortName }: Pick<BackendRef, "key" | "shortName">, use: FirstUse | undefined): void {
    const others = (this.#groups.get(shortName) ?? []).filter(({ ref }) => ref.key !== key)
    this.#groups.set(shortName, compact(use === undefined ? others : [...others, use]))
    if (use === undefined) this.#names.delete(key)
    this.#touched.add(shortName)
  }

  /** Gives out names after calls of `put`. @returns the keys of the backends whose names changed */
  settle(): readonly string[] {
    const touched = this.#touched
    this.#touched = new Set()
    return [...touched].flatMap((shortName) => this.#settleGroup(shortName))
  }

  #settleGroup(shortName: string): readonly string[] {
    const group = [...(this.#groups.get(shortName) ?? [])].sort(byUse)
    if (group.length === 0) this.#groups.delete(shortName)
    return group.flatMap(({ ref: { key } }, at) => {
      const name = at === 0 && shortName !== defaultBackendName ? shortName : key
      if (this.#names.get(key) === name) return []
      this.#names.set(key, name)
      return [key]
    })
  }

  /** By the key of the backend; undefined when it is not used. */
  get(key: string): string | undefined {
    return this.#names.get(key)
  }
}

function byUse(a: FirstUse, b: FirstUse): number {
  return (
    Number(a.isFallback) - Number(b.isFallback) ||
    Number(isSplit(a)) - Number(isSplit(b)) ||
    byPrecedence(a.ingress, b.ingress) ||
    a.at - b.at ||
    compareText(a.ref.key, b.ref.key)
  )
}

function isSplit({ ref: { key } }: FirstUse): boolean {
  return baseKey(key) !== key
}

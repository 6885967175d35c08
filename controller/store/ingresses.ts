import { isDeepStrictEqual } from "node:util"
import type { Problem } from "../model/problem.ts"
import type { Ingress } from "../objects/ingress.ts"
import type { IngressClass } from "../objects/ingress-class.ts"
import { type Kind, qualifiedName } from "../objects/object.ts"
import { type Belonging, belonging, type ClassOptions } from "./class.ts"
import { type MentionsOf, References } from "./references.ts"

export interface IngressesOptions extends ClassOptions {
  /** Ingresses that no controller can take are Problems: with `--manifests`, where nobody else reads them */
  readonly reportsUnclaimed: boolean
  readonly mentionsOf: MentionsOf
}

interface Entry {
  readonly ingress: Ingress
  readonly belonging: Belonging
}

/**
 * Every Ingress and IngressClass, and which Ingresses are ours. A class that comes, goes or changes its controller takes effect at once on the
 * Ingresses that name it.
 */
export class Ingresses {
  readonly references: References
  readonly classes = {
    get: (name: string) => this.#classes.get(name),
    /** @returns as `put` of an Ingress */
    put: (name: string, ingressClass: IngressClass | undefined) => this.#putClass(name, ingressClass),
  }
  readonly #options: IngressesOptions
  readonly #classes = new Map<string, IngressClass>()
  readonly #entries = new Map<string, Entry>()
  #ours: readonly Ingress[] | undefined
  #unclaimed: readonly Problem[] | undefined

  /** @param mentioned of these kinds other objects are mentioned now */
  constructor(options: IngressesOptions, mentioned: (kind: Kind) => void) {
    this.#options = options
    this.references = new References(options.mentionsOf, mentioned)
  }

  /** Ours; the same list while none of them changes. */
  ours(): readonly Ingress[] {
    this.#ours ??= [...this.#entries.values()].filter(isOurs).map((entry) => entry.ingress)
    return this.#ours
  }

  get(key: string): Ingress | undefined {
    return this.#entries.get(key)?.ingress
  }

  /** Replaces or removes an Ingress. @returns whether what we serve or complain about is touched */
  put(key: string, ingress: Ingress | undefined): boolean {
    const entry = ingress && { ingress, belonging: belonging(ingress, this.#classes, this.#options) }
    return this.#replace(key, entry)
  }

  #putClass(name: string, ingressClass: IngressClass | undefined): boolean {
    if (ingressClass) this.#classes.set(name, ingressClass)
    else this.#classes.delete(name)
    const naming = [...this.#entries].filter(([, { ingress }]) => ingress.className === name)
    return naming.map(([key, { ingress }]) => this.put(key, ingress)).includes(true)
  }

  /** One Problem for each Ingress that no controller can take, in the order of their names; the same list while it does not change. */
  unclaimed(): readonly Problem[] {
    if (!this.#options.reportsUnclaimed) return []
    this.#unclaimed ??= [...this.#entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { ingress, belonging }]) =>
        belonging.kind === "unclaimed" ? [unclaimedProblem(ingress, belonging)] : [],
      )
    return this.#unclaimed
  }

  #replace(key: string, entry: Entry | undefined): boolean {
    const before = this.#entries.get(key)
    if (entry) this.#entries.set(key, entry)
    else this.#entries.delete(key)
    if (before && isOurs(before)) this.references.remove(before.ingress)
    if (entry && isOurs(entry)) this.references.add(entry.ingress)
    const kinds = [before, entry].map((either) => either?.belonging.kind)
    const isSame =
      before?.ingress === entry?.ingress && isDeepStrictEqual(before?.belonging, entry?.belonging)
    if (isSame) return false
    if (kinds.includes("ours")) this.#ours = undefined
    if (kinds.includes("unclaimed")) this.#unclaimed = undefined
    return kinds.includes("ours") || (this.#options.reportsUnclaimed && kinds.includes("unclaimed"))
  }
}

function isOurs({ belonging }: Entry): boolean {
  return belonging.kind === "ours"
}

function unclaimedProblem(ingress: Ingress, { field, state }: Belonging & { kind: "unclaimed" }): Problem {
  const { namespace, name } = ingress.meta
  const message = `Ingress ${JSON.stringify(qualifiedName(ingress.meta))} is left out: ${field} ${state}`
  return { object: { kind: "Ingress", namespace, name }, field, code: "class-missing", message }
}

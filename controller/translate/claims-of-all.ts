import type { Problem } from "../model/problem.ts"
import type { Ingress } from "../objects/ingress.ts"
import type { Snapshot } from "../store/snapshot.ts"
import type { IngressClaims } from "./claim.ts"
import { claimsOf, type Reading } from "./claims.ts"
import type { Context } from "./context.ts"
import type { Referable } from "./lookups.ts"
import { byPrecedence, patched } from "./order.ts"

/** How the claims of one pass differ from those of the pass before. */
export interface ClaimsChange {
  readonly added: readonly IngressClaims[]
  readonly removed: ReadonlySet<IngressClaims>
}

/** The claims of all Ingresses. An Ingress is read again only when it is another object, or an object that it names is. */
export class ClaimsOfAll {
  readonly #context: Context
  #readings = new Map<Ingress, Reading>()
  #inputs: readonly unknown[] = []
  #all: readonly IngressClaims[] = []

  constructor(context: Context) {
    this.#context = context
  }

  /** The oldest first. */
  get all(): readonly IngressClaims[] {
    return this.#all
  }

  problems(): readonly Problem[] {
    const problems: Problem[] = []
    for (const claims of this.#all) if (claims.problems.length > 0) problems.push(...claims.problems)
    return problems
  }

  /** @returns what changed, or undefined when nothing did */
  update({ ingresses, configMaps, secrets }: Snapshot): ClaimsChange | undefined {
    const inputs = [ingresses, configMaps, secrets]
    if (inputs.every((input, at) => input === this.#inputs[at])) return undefined
    this.#inputs = inputs
    const before = this.#readings
    this.#readings = new Map()
    for (const ingress of ingresses) {
      this.#readings.set(ingress, this.#read(ingress, before.get(ingress), { configMaps, secrets }))
    }
    const change = difference(before, this.#readings)
    this.#all = patched(this.#all, change.removed, change.added, byPrecedence)
    return change
  }

  #read(ingress: Ingress, last: Reading | undefined, objects: Referable): Reading {
    return last?.lookups.isSameIn(objects) === true ? last : claimsOf(ingress, this.#context, objects)
  }
}

function difference(
  before: ReadonlyMap<Ingress, Reading>,
  after: ReadonlyMap<Ingress, Reading>,
): ClaimsChange {
  const added: IngressClaims[] = []
  const removed = new Set<IngressClaims>()
  for (const [ingress, { claims }] of after) if (before.get(ingress)?.claims !== claims) added.push(claims)
  for (const [ingress, { claims }] of before) if (after.get(ingress)?.claims !== claims) removed.add(claims)
  return { added, removed }
}

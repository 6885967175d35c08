import type { Facts } from "../../model/facts.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { middleOf } from "../../support/incremental/middle.ts"
import { SortedList } from "../../support/incremental/sorted-list.ts"
import type { Context } from "../options/context.ts"
import { byPrecedence } from "./order.ts"
import type { IngressesChange } from "./parsed/ingresses-change.ts"
import type { ParsedIngress } from "./parsed/parsed-ingress.ts"
import type { ServerSnippet } from "./parsed/server-snippet.ts"
import type { Referable } from "./read/lookups.ts"
import { type Reading, readIngress } from "./read/read-ingress.ts"
import { everyServer } from "./read/read-server-snippet.ts"
import { type SharedParts, sharedParts } from "./read/shared-parts.ts"

/** A change while it is found out. */
interface Replacement extends IngressesChange {
  readonly added: ParsedIngress[]
  readonly removed: Set<ParsedIngress>
}

/** All Ingresses, each read by itself. One is read again only when it is another object, or an object that it names is. */
export class ParsedIngresses {
  readonly #context: Context
  readonly #shared: SharedParts
  readonly #readings = new Map<Ingress, Reading>()
  /** those that have looked something up */
  readonly #looking = new Set<Ingress>()
  #ingresses: readonly Ingress[] = []
  #objects: Referable | undefined
  readonly #all = new SortedList<ParsedIngress>(byPrecedence)
  /** those with Problems */
  readonly #faulty = new SortedList<ParsedIngress>(byPrecedence)

  constructor(context: Context) {
    this.#context = context
    this.#shared = sharedParts(context)
  }

  /** What the ConfigMap says of the server block of each host. */
  get everyServer(): ServerSnippet | undefined {
    return everyServer(this.#context, this.#shared)
  }

  /** The oldest first. */
  get all(): readonly ParsedIngress[] {
    return this.#all.items()
  }

  problems(): readonly Problem[] {
    return this.#faulty.items().flatMap(({ problems }) => problems)
  }

  /** @returns what changed, or undefined when nothing did */
  followObjects(
    { ingresses, configMaps, secrets }: Snapshot,
    { tlsSecrets, policies, ruleSets }: Pick<Facts, "tlsSecrets" | "policies" | "ruleSets">,
  ): IngressesChange | undefined {
    const isSame =
      configMaps === this.#objects?.configMaps &&
      secrets === this.#objects.secrets &&
      tlsSecrets === this.#objects.tlsSecrets &&
      policies === this.#objects.policies &&
      ruleSets === this.#objects.ruleSets
    if (isSame && ingresses === this.#ingresses) return undefined
    const { start, endBefore, endAfter } = middleOf(this.#ingresses, ingresses)
    const [before, after] = [this.#ingresses.slice(start, endBefore), ingresses.slice(start, endAfter)]
    const objects = { configMaps, secrets, tlsSecrets, policies, ruleSets }
    const change: Replacement = { added: [], removed: new Set() }
    this.#replace(before, after, objects, change)
    if (!isSame) this.#readAnew(objects, change)
    this.#ingresses = ingresses
    this.#objects = objects
    if (change.added.length === 0 && change.removed.size === 0) return undefined
    for (const ingress of change.removed) this.#remove(ingress)
    for (const ingress of change.added) this.#add(ingress)
    return change
  }

  #add(ingress: ParsedIngress): void {
    this.#all.add(ingress)
    if (ingress.problems.length > 0) this.#faulty.add(ingress)
  }

  #remove(ingress: ParsedIngress): void {
    this.#all.remove(ingress)
    if (ingress.problems.length > 0) this.#faulty.remove(ingress)
  }

  #replace(
    before: readonly Ingress[],
    after: readonly Ingress[],
    objects: Referable,
    change: Replacement,
  ): void {
    const stays = new Set(after)
    for (const ingress of before) if (!stays.has(ingress)) this.#forget(ingress, change)
    for (const ingress of after) if (!this.#readings.has(ingress)) this.#read(ingress, objects, change)
  }

  /** Those that would find something else now than when they were read. */
  #readAnew(objects: Referable, change: Replacement): void {
    for (const ingress of [...this.#looking]) {
      if (this.#readings.get(ingress)?.lookups.isSameIn(objects) === true) continue
      this.#forget(ingress, change)
      this.#read(ingress, objects, change)
    }
  }

  #read(ingress: Ingress, objects: Referable, { added }: Replacement): void {
    const reading = readIngress(ingress, this.#context, objects, this.#shared)
    this.#readings.set(ingress, reading)
    if (!reading.lookups.isEmpty) this.#looking.add(ingress)
    added.push(reading.parsed)
  }

  #forget(ingress: Ingress, { removed }: Replacement): void {
    const reading = this.#readings.get(ingress)
    if (reading === undefined) return
    this.#readings.delete(ingress)
    this.#looking.delete(ingress)
    removed.add(reading.parsed)
  }
}

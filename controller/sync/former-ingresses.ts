import type { Ingress } from "../model/objects/ingress.ts"
import { qualifiedName } from "../model/objects/object.ts"
import type { RuleSetState, WantedRuleSet } from "../model/rule-set.ts"
import type { Snapshot } from "../model/snapshot.ts"

const none: ReadonlyMap<string, Ingress> = new Map()

/**
 * An Ingress that is served without rules of ModSecurity and gets its first ones stays as it was, as a whole, until those are checked: a change takes
 * effect when it is ready. One that is new, or whose rules are wrong or not checked in time, is closed instead.
 */
export class FormerIngresses {
  /** those of the pass before, and the owners of rules among them */
  #before: readonly Ingress[] = []
  #guarded: ReadonlySet<string> = new Set()
  #wanted: readonly WantedRuleSet[] = []
  /** by name: what is served in the place of what is there now */
  #former = none

  /**
   * @param wanted the rule sets of `objects`
   * @param states what is known of them; absent: nobody checks rules
   * @returns the objects to be served: the same ones while nobody waits
   */
  among(
    objects: Snapshot,
    wanted: readonly WantedRuleSet[],
    states: ReadonlyMap<string, RuleSetState> | undefined,
  ): Snapshot {
    const waiting = states && wanted.filter((one) => isWaiting(one, states.get(one.owner)))
    this.#former = waiting?.length ? this.#formerOf(objects, new Set(waiting.map(ownerName))) : none
    this.#before = objects.ingresses
    if (wanted !== this.#wanted) this.#guarded = new Set(wanted.map(ownerName))
    this.#wanted = wanted
    return this.in(objects)
  }

  /** The objects of the last pass as it served them. */
  in(objects: Snapshot): Snapshot {
    const former = this.#former
    if (former.size === 0) return objects
    return { ...objects, ingresses: objects.ingresses.map((one) => former.get(nameOf(one)) ?? one) }
  }

  #formerOf({ ingresses }: Snapshot, names: ReadonlySet<string>): ReadonlyMap<string, Ingress> {
    const isOpen = (name: string) => !this.#guarded.has(name) && !this.#former.has(name)
    const served = this.#before.filter((one) => names.has(nameOf(one)) && isOpen(nameOf(one)))
    const candidates = new Map([...this.#former, ...served.map((one) => [nameOf(one), one] as const)])
    const there = new Map(ingresses.map((one) => [nameOf(one), one]))
    // One that was deleted and created again is a new one.
    return new Map(
      [...candidates].filter(([name, { meta }]) => names.has(name) && there.get(name)?.meta.uid === meta.uid),
    )
  }
}

function isWaiting({ set }: WantedRuleSet, state: RuleSetState | undefined): boolean {
  if (state?.wanted !== set.digest || state.isOverdue === true) return false
  return state.usable === undefined && state.trouble === undefined
}

function nameOf({ meta }: Ingress): string {
  return qualifiedName(meta)
}

/** Of the Ingress, also for what its server-snippet has. */
function ownerName({ owner }: WantedRuleSet): string {
  return owner.replace(/^([^/]+\/[^/]+)\/server$/, "$1")
}

import { isDeepStrictEqual } from "node:util"
import type { Location } from "../../model/location.ts"
import { mirrorsOf } from "../../model/route.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import { usualLocations } from "../declared/locations.ts"
import type { Rule } from "../declared/rule.ts"
import type { RulesChange } from "./rules-change.ts"

const nameOf = ({ name }: { readonly name: string }) => name

/** The locations that rules take: each once, in canonical order. Kept from pass to pass. */
export class MergedLocations {
  readonly #locations = new CountedList<Location>(nameOf, isDeepStrictEqual)

  constructor() {
    for (const location of usualLocations) this.#locations.add(location)
  }

  followRules({ added, removed }: RulesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const location of added.flatMap(locationsOf)) this.#locations.add(location)
    for (const location of removed.flatMap(locationsOf)) this.#locations.remove(location)
  }

  get locations(): readonly Location[] {
    return this.#locations.items()
  }
}

function locationsOf(rule: Rule): readonly Location[] {
  const { backend, split = [], proxying } = rule
  const { own, onDefault, onFallback } = proxying.locations
  const isDefault = backend === undefined && rule.split === undefined
  const others = [...split, ...mirrorsOf(rule)].map(({ location }) => location)
  const all = [...(isDefault ? [onDefault] : [own, onFallback]), ...others]
  return all.filter((location) => location !== undefined)
}

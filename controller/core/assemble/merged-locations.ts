import { isDeepStrictEqual } from "node:util"
import type { Location } from "../../model/location.ts"
import { isSameFile, type SecretFile } from "../../model/secret-file.ts"
import { byContentName } from "../../support/content-name.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import { compareText } from "../../support/order.ts"
import { usualLocations } from "../declared/locations.ts"
import { mirrorsOf, type Rule } from "../declared/rule.ts"
import type { RulesChange } from "./rules-change.ts"

const nameOf = ({ name }: { readonly name: string }) => name

/** The locations that rules take, and the files that those of authentication services name: each once, in canonical order. Kept from pass to pass. */
export class MergedLocations {
  readonly #locations = new CountedList<Location>(nameOf, isDeepStrictEqual)
  readonly #files = new CountedList<SecretFile>(nameOf, isSameFile)

  constructor() {
    for (const location of usualLocations) this.#locations.add(location)
  }

  followRules({ added, removed }: RulesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const rule of added) {
      for (const location of locationsOf(rule)) this.#locations.add(location)
      for (const file of filesOf(rule)) this.#files.add(file)
    }
    for (const rule of removed) {
      for (const location of locationsOf(rule)) this.#locations.remove(location)
      for (const file of filesOf(rule)) this.#files.remove(file)
    }
  }

  get locations(): readonly Location[] {
    return this.#locations.items()
  }

  get files(): readonly SecretFile[] {
    return this.#files.items()
  }
}

function locationsOf(rule: Rule): readonly Location[] {
  const { backend, split = [], proxying, access } = rule
  const { own, onDefault, onFallback } = proxying.locations
  const asked = access.external?.tls?.location
  const isDefault = backend === undefined && rule.split === undefined
  const others = [...split, ...mirrorsOf(rule)].map(({ location }) => location)
  const all = [...(isDefault ? [onDefault] : [own, onFallback]), asked, ...others]
  return all.filter((location) => location !== undefined)
}

function filesOf({ access }: Rule): readonly SecretFile[] {
  return access.external?.tls?.files ?? []
}

/** Each file once, in canonical order. */
export function distinctFiles(files: Iterable<SecretFile>): readonly SecretFile[] {
  return [...byContentName(files, isSameFile).values()].sort((a, b) => compareText(a.name, b.name))
}

import { isDeepStrictEqual } from "node:util"
import type { Facts } from "../../model/facts.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { OwnPlaces } from "../assemble/backends/own-places.ts"
import type { Translation } from "../assemble/translation.ts"
import type { WantedFacts } from "../assemble/wanted-names.ts"
import type { Settings } from "../options/settings.ts"
import type { TranslateOptions } from "../options/translation.ts"
import { frontEnds, type MakeFrontEnd } from "./front-ends.ts"
import { Passes, type WantingFacts } from "./passes.ts"

export type { Translation } from "../assemble/translation.ts"
export { type TranslateOptions, translateOptions } from "../options/translation.ts"

// In come a snapshot of objects, facts that stand in none of them, and what the operator set; out go the model of what nginx should serve and the
// Problems of the objects it was made from. It knows no clock, no file, no log, and nothing of nginx's configuration text or the posted format.

/** Translates objects once. Pure: equal input gives an equal result, whatever order the objects come in. */
export function translate(
  objects: Snapshot,
  facts: Facts,
  settings: Settings,
  options: TranslateOptions,
): Translation {
  return new Translator(options).translate(objects, facts, settings)
}

/**
 * Translates objects, pass after pass. Owns all that is remembered between passes: what depends on objects that kept their identity since the last
 * one is not computed again, and keeps its identity in the model. What comes out is what `translate` makes of the same input.
 */
export class Translator {
  readonly #options: TranslateOptions
  readonly #families: readonly MakeFrontEnd[]
  readonly #places: OwnPlaces
  /** what was made under the settings of the last pass */
  #passes: Passes | undefined

  /** @param families read the objects; tests have others */
  constructor(options: TranslateOptions, families: readonly MakeFrontEnd[] = frontEnds) {
    this.#options = options
    this.#families = families
    this.#places = new OwnPlaces(options)
  }

  /** What has to be found out before the same objects are translated. Costs next to nothing beside that: it shares the results. */
  wantedFacts(objects: Snapshot, facts: WantingFacts, settings: Settings): WantedFacts {
    return this.#under(settings, (passes) => passes.wantedFacts(objects, facts))
  }

  translate(objects: Snapshot, facts: Facts, settings: Settings): Translation {
    return this.#under(settings, (passes) => passes.translate(objects, facts))
  }

  #under<R>(settings: Settings, pass: (passes: Passes) => R): R {
    try {
      return pass(this.#passesUnder(settings))
    } catch (error) {
      // It may have followed half of a change.
      this.#passes = undefined
      throw error
    }
  }

  #passesUnder(settings: Settings): Passes {
    if (this.#passes === undefined || !isDeepStrictEqual(this.#passes.settings, settings))
      this.#passes = new Passes({ settings, options: this.#options }, this.#places, this.#families)
    return this.#passes
  }
}

import { isDeepStrictEqual } from "node:util"
import { rememberingConfigSnippets } from "../core/options/config-snippets.ts"
import {
  defaultSettings,
  keyOf,
  keyProblem,
  parseSettings,
  refusedGuardProblem,
} from "../core/options/configmap.ts"
import type { Surroundings } from "../core/options/rules.ts"
import type { Settings } from "../core/options/settings.ts"
import { guardWithout, snippetFields } from "../core/options/snippet-faults.ts"
import type { ConfigMap } from "../model/objects/config-map.ts"
import type { Problem } from "../model/problem.ts"
import { compareText } from "../support/order.ts"
import { leaveOutCulprits, type Verdict } from "./trial.ts"

type Field = keyof Settings

/** A value that nginx did not take, and why. */
interface Refused {
  readonly value: Settings[Field]
  readonly reason: string
}

/**
 * The ConfigMap's settings without those that nginx refuses. What only nginx can judge, such as the variables in a log format, shows when it
 * checks the configuration; such a value is remembered and left out until somebody changes it.
 */
export class CheckedSettings {
  #good = defaultSettings
  readonly #refused = new Map<Field, Refused>()
  #texts = ""
  readonly #compileTexts = rememberingConfigSnippets()

  /** The last that nginx took. */
  get good(): Settings {
    return this.#good
  }

  /** @returns settings to try, and a Problem for each key that cannot be used */
  read(
    configMap: ConfigMap | undefined,
    around?: Surroundings,
  ): { settings: Settings; problems: readonly Problem[] } {
    const { settings, problems } = parseSettings(
      configMap,
      this.#good,
      around && { ...around, compileTexts: this.#compileTexts },
    )
    this.#followTexts(settings)
    const standing = [...this.#refused].filter(([field, { value }]) =>
      isDeepStrictEqual(settings[field], value),
    )
    const kept = standing.map(([field]) => [field, this.#good[field]])
    const guards = standing.flatMap(([field, { value }]) => {
      const by = guardWithout(field, value, this.#good[field])
      return by === undefined ? [] : [{ field, by }]
    })
    const doesClose = settings.unsupportedGuards === "close"
    const closes = guards.length > 0 && doesClose && !settings.closedByKeys.includes("all")
    const refused = standing.flatMap(([field, { reason }]) =>
      configMap ? [problemOf(configMap, field, reason)] : [],
    )
    const closing = guards.flatMap(({ field, by }) =>
      configMap ? [refusedGuardProblem(configMap, keyOf(field), by, doesClose)] : [],
    )
    return {
      settings: {
        ...settings,
        ...Object.fromEntries(kept),
        ...(closes && { closedByKeys: ["all", ...settings.closedByKeys] }),
      },
      problems: [...problems, ...refused.toSorted((a, b) => compareText(a.field, b.field)), ...closing],
    }
  }

  /** A text of the operator's may be refused for want of what another one defines: each is tried anew when any of them changes. */
  #followTexts(settings: Settings): void {
    const fields = Object.keys(snippetFields) as (keyof typeof snippetFields)[]
    const texts = JSON.stringify(fields.map((field) => settings[field]))
    if (texts !== this.#texts) for (const field of fields) this.#refused.delete(field)
    this.#texts = texts
  }

  /** nginx runs with these. */
  taken(settings: Settings): void {
    this.#good = settings
  }

  /** The last that nginx took, if it still does; otherwise the same without the operator's texts. @returns undefined: it does not take that either */
  async #base(check: (candidate: Settings) => Promise<Verdict>): Promise<Settings | undefined> {
    for (const base of [this.#good, withoutSnippets(this.#good)])
      if ((await check(base)) === "taken") return base
    return undefined
  }

  /**
   * nginx refused a configuration with these: finds out whether that was about one of them, or several.
   *
   * @returns whether it was; `read` then leaves them out
   */
  async refused(settings: Settings, check: (candidate: Settings) => Promise<Verdict>): Promise<boolean> {
    const fields = Object.keys(settings) as Field[]
    const isChanged = (good: Settings) => (field: Field) => !isDeepStrictEqual(settings[field], good[field])
    const good = await this.#base(check)
    const changed = good === undefined ? [] : fields.filter(isChanged(good))
    if (good === undefined || changed.length === 0) return false
    const culprits = await leaveOutCulprits([], changed, (tried) =>
      check({ ...good, ...Object.fromEntries(tried.map((field) => [field, settings[field]])) }),
    )
    if (good !== this.#good) this.#good = good
    for (const [field, reason] of culprits) this.#refused.set(field, { value: settings[field], reason })
    return culprits.size > 0
  }
}

/** What nginx took may be refused later: a name in a snippet that DNS does not know any more. */
function withoutSnippets(settings: Settings): Settings {
  const empty = Object.keys(snippetFields).map((field) => [field, ""])
  return { ...settings, ...Object.fromEntries(empty) }
}

function problemOf(configMap: ConfigMap, field: Field, reason: string): Problem {
  return keyProblem(
    configMap,
    keyOf(field),
    "value-refused",
    `cannot be used, so the value before it stays in force: ${reason}`,
  )
}

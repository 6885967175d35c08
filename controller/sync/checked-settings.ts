import { isDeepStrictEqual } from "node:util"
import { defaultSettings, keyOf, keyProblem, parseSettings } from "../core/options/configmap.ts"
import type { Surroundings } from "../core/options/rules.ts"
import type { Settings } from "../core/options/settings.ts"
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

  /** The last that nginx took. */
  get good(): Settings {
    return this.#good
  }

  /** @returns settings to try, and a Problem for each key that cannot be used */
  read(
    configMap: ConfigMap | undefined,
    around?: Surroundings,
  ): { settings: Settings; problems: readonly Problem[] } {
    const { settings, problems } = parseSettings(configMap, this.#good, around)
    const standing = [...this.#refused].filter(([field, { value }]) =>
      isDeepStrictEqual(settings[field], value),
    )
    const kept = standing.map(([field]) => [field, this.#good[field]])
    const refused = standing.flatMap(([field, { reason }]) =>
      configMap ? [problemOf(configMap, field, reason)] : [],
    )
    return {
      settings: { ...settings, ...Object.fromEntries(kept) },
      problems: [...problems, ...refused.toSorted((a, b) => compareText(a.field, b.field))],
    }
  }

  /** nginx runs with these. */
  taken(settings: Settings): void {
    this.#good = settings
  }

  /**
   * nginx refused a configuration with these: finds out whether that was about one of them, or several.
   *
   * @returns whether it was; `read` then leaves them out
   */
  async refused(settings: Settings, check: (candidate: Settings) => Promise<Verdict>): Promise<boolean> {
    const good = this.#good
    const fields = Object.keys(settings) as Field[]
    const changed = fields.filter((field) => !isDeepStrictEqual(settings[field], good[field]))
    if (changed.length === 0 || (await check(good)) !== "taken") return false
    const culprits = await leaveOutCulprits([], changed, (tried) =>
      check({ ...good, ...Object.fromEntries(tried.map((field) => [field, settings[field]])) }),
    )
    for (const [field, reason] of culprits) this.#refused.set(field, { value: settings[field], reason })
    return culprits.size > 0
  }
}

function problemOf(configMap: ConfigMap, field: Field, reason: string): Problem {
  return keyProblem(
    configMap,
    keyOf(field),
    "value-refused",
    `cannot be used, so the value before it stays in force: ${reason}`,
  )
}

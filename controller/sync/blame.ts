import { withKnownVariable } from "../core/options/known-variables.ts"
import type { Settings } from "../core/options/settings.ts"
import type { Fixed } from "../model/model.ts"
import type { Snapshot } from "../model/snapshot.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { Failure } from "../support/failure.ts"
import type { CheckedLocations } from "./checked-locations.ts"
import type { CheckedPorts } from "./checked-ports.ts"
import type { CheckedSettings } from "./checked-settings.ts"
import type { DesiredState } from "./desired.ts"
import type { Verdict } from "./trial.ts"

export interface BlameOptions {
  readonly settings: CheckedSettings
  readonly locations: CheckedLocations
  readonly ports: Pick<CheckedPorts, "refused">
  readonly desired: Pick<DesiredState, "fixedWith">
  readonly plane: Pick<DataPlane, "running" | "check">
}

/** nginx refused a configuration: finds out what of a user's it does not like, so that everything else need not wait for that. */
export class Blame {
  readonly #with: BlameOptions

  constructor(options: BlameOptions) {
    this.#with = options
  }

  /**
   * @param settings that the refused configuration was made with
   * @returns whether something was found: settings and locations leave it out from now on, so another attempt is worth it
   * @throws Failure when nginx could not be asked
   */
  async find(error: unknown, objects: Snapshot, settings: Settings): Promise<boolean> {
    if (!isRefusal(error)) return false
    if (await this.#findPort({ ...objects, ingresses: [] })) return true
    // Most often a setting is bad by itself. Without Ingresses each question takes milliseconds, and with all of a large cluster seconds.
    if (await this.#findSetting({ ...objects, ingresses: [] }, settings)) return true
    if (await this.#findSetting(objects, settings)) return true
    const { locations, desired, plane, settings: checked } = this.#with
    const { http } = desired.fixedWith(objects, checked.good)
    const inForce = plane.running?.fixed
    const refused = desired.fixedWith(objects, settings)
    return locations.refused(refused, inForce, http, (fixed) => this.#verdict(fixed))
  }

  #findPort(objects: Snapshot): Promise<boolean> {
    const { ports, desired, settings } = this.#with
    return ports.refused(desired.fixedWith(objects, settings.good), (fixed) => this.#verdict(fixed))
  }

  #findSetting(objects: Snapshot, settings: Settings): Promise<boolean> {
    const { desired, settings: checked } = this.#with
    return checked.refused(settings, (candidate) => this.#verdict(desired.fixedWith(objects, candidate)))
  }

  async #verdict(fixed: Fixed): Promise<Verdict> {
    try {
      await this.#with.plane.check(fixed)
      return "taken"
    } catch (error) {
      if (isRefusal(error)) return { reason: withKnownVariable(error.message) }
      throw error
    }
  }
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "conf-refused"
}

import { setTimeout } from "node:timers/promises"
import { type LiveChange, liveChange } from "../../core/plan/change.ts"
import type { Location } from "../../model/location.ts"
import { emptyLive, type Fixed, type Live, type Model } from "../../model/model.ts"
import type { Problem } from "../../model/problem.ts"
import { namedLocations } from "../../model/route.ts"
import { type Backoff, backoffMs } from "../../support/backoff.ts"
import { byContentName } from "../../support/content-name.ts"
import { Failure } from "../../support/failure.ts"
import { compareText } from "../../support/order.ts"
import { reached } from "../../support/stages.ts"
import { closedForRoom } from "../control/closed-for-room.ts"
import type { Control } from "../control/control.ts"
import { OverrideSets } from "../control/override-sets.ts"
import type { Patterns } from "../control/patterns.ts"
import { problemsOf, type Refusal } from "../control/refusal.ts"
import type { Shares } from "../control/shares/shares.ts"
import type { ZoneGrowth } from "../control/zone-growth.ts"
import type { PlaneEvents } from "../plane/plane.ts"
import type { Conf, Stage } from "../render/render.ts"
import type { Build } from "./build.ts"
import type { Driver } from "./driver.ts"
import { type Layout, readFixed } from "./files.ts"

export interface DeliveryOptions {
  readonly driver: Pick<
    Driver,
    "state" | "generation" | "isOutdated" | "adopt" | "check" | "start" | "upgrade" | "reload" | "endOrphans"
  >
  readonly control: Pick<
    Control,
    "isInStep" | "startAnew" | "hasRoutes" | "apply" | "removeDue" | "postedBytes"
  >
  readonly patterns: Pick<Patterns, "problemsOf">
  readonly build: Pick<Build, "read">
  readonly zones: Pick<ZoneGrowth, "grown" | "reloaded" | "adopt" | "look" | "takeBack">
  /** of zones, by namespace */
  readonly shares: Pick<Shares, "within">
  /** bytes beyond which no zone grows */
  readonly maxZoneSize: (fixed: Fixed) => number
  readonly events: Pick<PlaneEvents, "grew" | "renewed" | "closedForRoom">
  readonly layout: Layout
  /** for tests */
  readonly maxOverrideSets?: number
  /** as render's, on this machine */
  readonly render: (fixed: Fixed, stage: Stage) => Conf
}

/** Of a filter, after faults in a row, and a little more (docs/abi.md). */
const longestRestMs = 35_000

const askAgain: Backoff = { firstMs: 50, maxMs: 1_000 }

/** What one generation of nginx has taken in. */
interface TakenIn {
  readonly generation: number
  /** absent: it is only prepared and serves nothing yet */
  readonly fixed: Fixed | undefined
  readonly live: Live
}

/** Brings models into nginx, and knows what is in force there: the fixed half by the driver, the live half by the control server. */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #overrides: OverrideSets
  #inForce: TakenIn | undefined
  /** locations of a configuration that was found running but is not ours to print any more */
  #foundLocations: readonly Location[] = []
  /** of what was posted last something had no room */
  #lacksRoom = false
  /** what nginx runs with */
  #printed: { readonly fixed: Fixed; readonly stage: Stage } | undefined

  constructor(options: DeliveryOptions) {
    this.#options = options
    this.#overrides = new OverrideSets(options.maxOverrideSets)
  }

  /** The model in force; undefined when nginx does not run, or runs with a configuration that must be replaced. */
  get running(): Model | undefined {
    const { fixed, live = emptyLive } = this.#known ?? {}
    return fixed && { fixed, live }
  }

  /** False when nothing runs, or only an nginx that is being prepared. One that was found running serves. */
  get isServing(): boolean {
    const isPrepared = this.#known !== undefined && this.#known.fixed === undefined
    return this.#options.driver.generation !== undefined && !isPrepared
  }

  /** What is known to be in the zones. */
  get live(): Live {
    return this.#known?.live ?? emptyLive
  }

  /** Hash of the configuration in force. */
  get hash(): string | undefined {
    const { state } = this.#options.driver
    return state.kind === "serving" ? state.hash : undefined
  }

  /** False as long as `running.live` is only what is known of the live half: then the next post is a full one. */
  get isInStep(): boolean {
    return this.#options.control.isInStep
  }

  /**
   * Takes over a running nginx. Its live half is not known, its fixed half only when this controller would print the same.
   *
   * @returns false when there is none
   */
  async adopt(): Promise<boolean> {
    const { driver, layout, zones } = this.#options
    if (!(await driver.adopt())) return false
    await zones.adopt()
    const found = this.#printable(await readFixed(layout))
    this.#foundLocations = found?.fixed.locations ?? []
    // Without a single route it has served nobody: the controller before was killed while it prepared it.
    if (driver.isOutdated || !(await this.#hasRoutes())) this.#note(undefined, emptyLive)
    else if (found && found.hash === this.hash) {
      this.#note(found.fixed, emptyLive)
      this.#printed = { fixed: found.fixed, stage: "serving" }
    }
    return true
  }

  /** Asks for a while: the filter of the nginx that was found may be resting after faults. */
  async #hasRoutes(): Promise<boolean> {
    const { control } = this.#options
    const deadlineMs = performance.now() + longestRestMs
    for (let failures = 1; ; failures += 1) {
      try {
        return await control.hasRoutes()
      } catch (error) {
        const isRefused = error instanceof Failure && error.code === "control-failed"
        if (!isRefused || performance.now() > deadlineMs) throw error
        await setTimeout(backoffMs(askAgain, failures))
      }
    }
  }

  /** Undefined for what another version of wick has left, which may have other fields. */
  #printable(fixed: Fixed | undefined): { fixed: Fixed; hash: string } | undefined {
    try {
      return fixed && { fixed, hash: this.#options.render(fixed, "serving").hash }
    } catch {
      return undefined
    }
  }

  /**
   * Starts an nginx that takes in routes and endpoints but no traffic: nobody shall be told that a host does not exist because it has not been
   * posted yet. `load` then makes it serve. One that was started from other files serves until then.
   *
   * @throws Failure `conf-refused` when it could not serve with this, otherwise as `Driver.start`, `Driver.upgrade` and `Driver.reload`
   */
  async prepare(fixed: Fixed): Promise<void> {
    const { driver, zones, render } = this.#options
    const stage = driver.generation !== undefined && driver.isOutdated ? "holding" : "prepared"
    if (driver.generation === undefined) await this.#startAnother("start", fixed, stage)
    else if (driver.isOutdated) await this.#startAnother("upgrade", fixed, stage)
    else await driver.reload(render(fixed, stage), fixed)
    zones.reloaded()
    this.#note(undefined, this.live)
    this.#printed = { fixed, stage }
  }

  async #startAnother(how: "start" | "upgrade", fixed: Fixed, stage: Stage): Promise<void> {
    const { driver, control, build, render } = this.#options
    await build.read()
    await driver.check(render(fixed, "serving"))
    await driver[how](render(fixed, stage), fixed)
    control.startAnew()
  }

  /**
   * Puts a fixed half in force in the nginx that runs. Locations that routes in force still name stay in it, as those routes are only posted
   * afterwards: but not text that nginx takes no more, as that of a snippet whose zone or variable the settings had. Its routes get 503 until then.
   *
   * @returns the hash of the configuration; undefined when it was in force already
   * @throws Failure as `Driver.reload`
   */
  async load(fixed: Fixed): Promise<string | undefined> {
    const inUse = this.#locationsInUse()
    const withoutText = inUse.filter(({ text }) => text === undefined)
    try {
      return await this.#loadBeside(inUse, fixed)
    } catch (error) {
      const isRefused = error instanceof Failure && error.code === "conf-refused"
      if (!isRefused || withoutText.length === inUse.length) throw error
      return await this.#loadBeside(withoutText, fixed)
    }
  }

  async #loadBeside(inUse: readonly Location[], fixed: Fixed): Promise<string | undefined> {
    const { driver, render } = this.#options
    const whole = { ...fixed, locations: union(fixed.locations, inUse) }
    const conf = render(whole, "serving")
    const isReloaded = await driver.reload(conf, whole)
    await driver.endOrphans()
    this.#note(whole, this.live)
    this.#printed = { fixed: whole, stage: "serving" }
    if (isReloaded) this.#reloaded()
    return isReloaded ? conf.hash : undefined
  }

  #reloaded(): void {
    this.#overrides.reloaded(this.live.hosts)
    this.#options.zones.reloaded()
  }

  /**
   * Puts a live half in force; only when something is loaded or prepared.
   *
   * @param change what leads there from `live`
   * @returns Problems of what nginx does not take, this time or before; everything else is in force
   * @throws Failure as `Control.apply`
   */
  async post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    if (!this.#known) throw new Failure("nginx-ended", "Cannot post changes: nginx does not run")
    const { fixed, live } = this.#known
    const within = this.#withinShares(wanted)
    const fitting = within.live === wanted ? change : liveChange(live, within.live)
    const { inForce, refusals } = await this.#options.control.apply(live, within.live, fitting)
    reached("served")
    this.#note(fixed, inForce)
    // What did not fit is tried again in larger zones.
    if (await this.#grow(refusals)) return this.post(wanted, liveChange(inForce, wanted))
    this.#lacksRoom = refusals.some(({ status }) => status === 507)
    this.#options.events.closedForRoom(closedForRoom(inForce, wanted))
    this.#overrides.note(fitting.hosts.set)
    if (this.#overrides.areTooMany) await this.#renewWorkers()
    const badPatterns = await this.#options.patterns.problemsOf(within.live.hosts)
    return [...within.problems, ...problemsOf(refusals, within.live), ...badPatterns]
  }

  /** Without a configuration of this controller in nginx it is not known what shares there are. */
  #withinShares(wanted: Live): ReturnType<Shares["within"]> {
    const fixed = this.#printed?.fixed
    return fixed === undefined ? { live: wanted, problems: [] } : this.#options.shares.within(wanted, fixed)
  }

  /**
   * Reloads with larger zones where they are nearly full. When nginx does not take that, they stay as they are.
   *
   * @returns whether they are larger now
   */
  async #grow(refusals: readonly Refusal[]): Promise<boolean> {
    const { zones, control, maxZoneSize, driver, render, events } = this.#options
    const printed = this.#printed
    // The one that is to take over from another build has as much room as that one.
    if (printed === undefined || printed.stage === "holding") return false
    const before = zones.grown
    const larger = await zones.look(maxZoneSize(printed.fixed), refusals, control.postedBytes)
    if (Object.keys(larger).length === 0) return false
    try {
      await driver.reload(render(printed.fixed, printed.stage), printed.fixed)
      events.grew(larger)
      return true
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      zones.takeBack(larger, before)
      events.grew(larger, error)
      return false
    }
  }

  /** Those that run have made copies for numbers of the past. If it fails, the next ones are counted before it is tried again. */
  async #renewWorkers(): Promise<void> {
    const { driver, render, events } = this.#options
    const printed = this.#printed
    if (printed === undefined || printed.stage === "holding") return
    try {
      await driver.reload(render(printed.fixed, printed.stage), printed.fixed, true)
      events.renewed()
    } finally {
      this.#overrides.reloaded(this.live.hosts)
    }
  }

  /**
   * Lets go of backends that were removed a while ago.
   *
   * @returns milliseconds until the next, or until what had no room is to be tried in the place of these; undefined: neither
   */
  async removeDue(): Promise<number | undefined> {
    const { hasMadeRoom, nextMs } = await this.#options.control.removeDue()
    return hasMadeRoom && this.#lacksRoom ? 0 : nextMs
  }

  /** Of the nginx that runs now. */
  get #known(): TakenIn | undefined {
    return this.#inForce?.generation === this.#options.driver.generation ? this.#inForce : undefined
  }

  #note(fixed: Fixed | undefined, live: Live): void {
    const { generation } = this.#options.driver
    this.#inForce = generation === undefined ? undefined : { generation, fixed, live }
  }

  #locationsInUse(): readonly Location[] {
    if (!this.isServing) return []
    const { running } = this
    if (!running || !this.isInStep) return union(running?.fixed.locations ?? [], this.#foundLocations)
    const inUse = namedLocations(running.live.hosts)
    return running.fixed.locations.filter((location) => inUse.has(location.name))
  }
}

/** Each location once, in canonical order. */
function union(some: readonly Location[], others: readonly Location[]): readonly Location[] {
  const byName = byContentName([...some, ...others])
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name))
}

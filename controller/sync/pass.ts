import { isDeepStrictEqual } from "node:util"
import { settingsOf } from "../core/options/key.ts"
import { spanExport } from "../core/options/keys/tracing.ts"
import type { Settings } from "../core/options/settings.ts"
import type { Store } from "../input/store/store.ts"
import type { Live, Model } from "../model/model.ts"
import type { ObjectStatus } from "../model/object-status.ts"
import type { Problem } from "../model/problem.ts"
import type { Snapshot } from "../model/snapshot.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import type { Recorder } from "../report/events/recorder.ts"
import type { LastPass } from "../report/history/last-pass.ts"
import type { Health } from "../report/observe/health.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import type { problemMetrics } from "../report/problems/problem-metrics.ts"
import type { ProblemReport } from "../report/problems/problem-report.ts"
import type { Traces } from "../report/traces/traces.ts"
import { reached } from "../support/stages.ts"
import { type Applied, Apply, type ApplyOptions } from "./apply.ts"
import { Blame, type BlameOptions } from "./blame.ts"
import { CheckedLocations } from "./checked-locations.ts"
import { CheckedPorts, portRetryMs } from "./checked-ports.ts"
import { CheckedSettings } from "./checked-settings.ts"
import { type Desired, type DesiredOptions, DesiredState } from "./desired.ts"
import type { PassMetrics } from "./pass-metrics.ts"
import type { PendingChanges } from "./pending-changes.ts"
import type { TicketKeys } from "./ticket-keys.ts"

export interface SyncOptions extends DesiredOptions, ApplyOptions {
  readonly store: Pick<Store, "snapshot">
  readonly changes: Pick<PendingChanges, "take" | "putBack">
  readonly plane: ApplyOptions["plane"] &
    BlameOptions["plane"] &
    Pick<DataPlane, "removeDue" | "keepSeriesOf" | "portsInUse"> & {
      readonly read: Pick<DataPlane["read"], "lastFixed">
    }
  readonly ticketKeys: Pick<TicketKeys, "recall" | "withFormer">
  readonly traces: Pick<Traces, "configure">
  readonly report: Pick<ProblemReport, "update">
  readonly recorder: ApplyOptions["recorder"] & Pick<Recorder, "passed">
  /** hears what is in force says of the objects, for their status */
  readonly told: (statuses: readonly ObjectStatus[]) => void
  readonly health: Pick<Health, "synced">
  /** for the page */
  readonly lastPass: Pick<LastPass, "told" | "inForce" | "passed">
  readonly metrics: ApplyOptions["metrics"] &
    Pick<PassMetrics, "passed" | "changed"> &
    Pick<Metrics, "inForce"> & { readonly problems: ReturnType<typeof problemMetrics> }
}

/**
 * How long a pass waits for the first answers of new names, at most. Everything else that has changed waits with it; but as long as nothing of
 * this controller's is in force, what was there before goes on serving.
 */
const maxNameMs = { usual: 1000, first: 5000 }

/** One pass from the objects to nginx: desired → apply, and blame where nginx refuses. Passes never run side by side (support/queue.ts). */
export class Sync {
  readonly #with: SyncOptions
  readonly #settings = new CheckedSettings()
  readonly #locations = new CheckedLocations()
  readonly #ports: CheckedPorts
  readonly #desired: DesiredState
  readonly #apply: Apply
  readonly #blame: Blame

  constructor(options: SyncOptions) {
    this.#with = options
    const [settings, locations] = [this.#settings, this.#locations]
    this.#ports = new CheckedPorts(options.plane)
    const ports = this.#ports
    this.#desired = new DesiredState(options, settings, locations, ports)
    this.#apply = new Apply(options)
    this.#blame = new Blame({ ...options, settings, locations, ports, desired: this.#desired })
  }

  /** @throws Failure when the world is unwell; the next pass begins where this one stopped */
  async pass(): Promise<void> {
    const { plane, health, metrics, lastPass, passIn } = this.#with
    const startMs = performance.now()
    reached("begun")
    const objects = await this.#carryOut()
    const ms = performance.now() - startMs
    health.synced()
    metrics.passed(ms / 1000)
    lastPass.passed(ms)
    await plane.keepSeriesOf(objects)
    const lingerMs = await plane.removeDue()
    if (lingerMs !== undefined) passIn(lingerMs)
    if (this.#ports.areAnyInUse) passIn(portRetryMs)
    reached("ended")
  }

  /** @returns the objects that it was about */
  async #carryOut(): Promise<Snapshot> {
    const { store, changes, metrics } = this.#with
    const cameMs = changes.take()
    let pending = cameMs
    try {
      const objects = store.snapshot()
      const { problems, applied } = await this.#synchronise(objects)
      if (applied.isComplete) pending = []
      if (applied.isComplete && applied.how !== "nothing") metrics.changed(applied.how, cameMs)
      this.#tell(objects, problems)
      return objects
    } finally {
      changes.putBack(pending)
    }
  }

  /** Each attempt leaves out more than the one before. @returns everything that is wrong with the objects, what nginx does not take included */
  async #synchronise(objects: Snapshot): Promise<{ problems: readonly Problem[]; applied: Applied }> {
    for (;;) {
      const desired = await this.#want(objects)
      const applied = await this.#try(desired, objects)
      if (applied !== undefined) return { problems: [...desired.problems, ...applied.refused], applied }
    }
  }

  async #want(objects: Snapshot): Promise<Desired> {
    const { plane, ticketKeys } = this.#with
    await ticketKeys.recall(plane.running?.fixed)
    return this.#desired.of(objects, plane.isInStep ? maxNameMs.usual : maxNameMs.first)
  }

  /** @returns undefined when another attempt is worth it */
  async #try(
    { settings, model, problems, observed, statuses }: Desired,
    objects: Snapshot,
  ): Promise<Applied | undefined> {
    try {
      const applied = await this.#apply.apply(model)
      this.#ports.loaded(true)
      this.#with.metrics.inForce(observed)
      this.#with.lastPass.inForce(observed)
      if (applied.isComplete) this.#inForce(settings, model)
      if (applied.isComplete || this.#listensAs(model)) this.#with.told(statuses)
      return applied
    } catch (error) {
      this.#ports.loaded(false)
      if (await this.#blame.find(error, objects, settings)) return undefined
      this.#tell(objects, problems)
      throw error
    }
  }

  /** Whether what waits for a reload is no listener, whose status would say that it is there. */
  #listensAs({ fixed }: Model): boolean {
    const running = this.#with.plane.running?.fixed
    return isDeepStrictEqual([running?.listeners, running?.streams], [fixed.listeners, fixed.streams])
  }

  #inForce(settings: Settings, { fixed, live }: Model): void {
    this.#settings.taken(settings)
    this.#with.traces.configure(settingsOf(spanExport, settings), () => isTraced(live))
    if (this.#locations.taken(fixed.http)) this.#with.passIn(0)
    const { formerTicketKey } = fixed.http.tls
    if (formerTicketKey) this.#with.passIn(Math.max(formerTicketKey.untilMs - Date.now(), 0))
  }

  #tell(objects: Snapshot, problems: readonly Problem[]): void {
    const { report, metrics, recorder, lastPass } = this.#with
    const appeared = report.update(problems)
    metrics.problems(problems)
    lastPass.told(problems)
    recorder.passed(objects, problems, appeared)
  }
}

/** Whether some request may leave a span. */
function isTraced({ hosts }: Live): boolean {
  return hosts.some(({ routes }) => routes.some(({ tracing }) => tracing !== undefined))
}

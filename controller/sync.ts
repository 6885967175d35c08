import type { Fixed, Live, Model } from "./model/model.ts"
import type { Problem } from "./model/problem.ts"
import type { Delivery } from "./nginx/delivery.ts"
import type { ConfigMap } from "./objects/config-map.ts"
import { qualifiedName } from "./objects/object.ts"
import type { Health } from "./observe/health.ts"
import type { Log } from "./observe/log.ts"
import type { Metrics } from "./observe/metrics.ts"
import type { ProblemReport } from "./observe/report.ts"
import type { Options } from "./options/flags.ts"
import type { Settings } from "./options/settings.ts"
import { liveChange, postable } from "./plan/change.ts"
import { type LiveChange, type Plan, plan } from "./plan/plan.ts"
import type { RateLimit } from "./queue/rate-limit.ts"
import type { Snapshot } from "./store/snapshot.ts"
import type { Store } from "./store/store.ts"
import { Failure } from "./support/failure.ts"
import { CheckedSettings } from "./sync/settings.ts"
import { type TranslateOptions, translate } from "./translate/translate.ts"

export interface SyncOptions {
  readonly store: Pick<Store, "snapshot">
  readonly delivery: Delivery
  /** asks nginx whether it would take a configuration; rejects with Failure `conf-refused` */
  readonly check: (fixed: Fixed) => Promise<void>
  readonly translateOptions: TranslateOptions
  readonly configmap: Options["configmap"]
  /** of reloads; posts are never held back */
  readonly rateLimit: Pick<RateLimit, "waitMs" | "take">
  /** asks for another pass in so many milliseconds */
  readonly passIn: (delayMs: number) => void
  readonly report: Pick<ProblemReport, "update">
  readonly health: Pick<Health, "synced">
  readonly metrics: Pick<Metrics, "passed" | "problems" | "reloaded" | "reloadFailed" | "reloadNotNeeded">
  readonly log: Pick<Log, "info">
}

const noChange: LiveChange = { setBackends: [], removeBackends: [], setHosts: [], removeHosts: [] }
const nothing: Live = { backends: [], hosts: [] }
const loaded = { started: "Started nginx", reloaded: "Reloaded nginx" } as const

type Reload = Extract<Plan, { kind: "reload" }>

/** One pass from the objects to nginx. Passes never run side by side (queue.ts). */
export class Sync {
  readonly #with: SyncOptions
  readonly #settings = new CheckedSettings()
  /** hash of the configuration that the metrics show */
  #shownHash: string | undefined

  constructor(options: SyncOptions) {
    this.#with = options
  }

  /** @throws Failure when the world is unwell; the next pass begins where this one stopped */
  async pass(): Promise<void> {
    const { store, delivery, health, metrics, passIn } = this.#with
    const startMs = performance.now()
    this.#tell(await this.#synchronise(store.snapshot()))
    health.synced()
    metrics.passed((performance.now() - startMs) / 1000)
    const lingerMs = await delivery.removeDue()
    if (lingerMs !== undefined) passIn(lingerMs)
  }

  /** @returns everything that is wrong with the objects, what nginx does not take included */
  async #synchronise(snapshot: Snapshot): Promise<readonly Problem[]> {
    const { settings, problems: wrongSettings } = this.#settings.read(this.#configMap(snapshot))
    const { model, problems } = translate(snapshot, settings, this.#with.translateOptions)
    try {
      const refused = await this.#bringIn(model)
      this.#showHash()
      this.#settings.taken(settings)
      return [...snapshot.problems, ...wrongSettings, ...problems, ...refused]
    } catch (error) {
      if (await this.#isAboutSettings(error, snapshot, settings)) return this.#synchronise(snapshot)
      throw error
    }
  }

  #bringIn(wanted: Model): Promise<readonly Problem[]> {
    const { delivery } = this.#with
    const planned = plan(delivery.running, wanted)
    switch (planned.kind) {
      case "nothing":
        return delivery.post(noChange)
      case "post":
        return delivery.post(planned.change)
      case "reload":
        return this.#reload(wanted, planned)
      default:
        return planned satisfies never
    }
  }

  /** What needs no reload goes first and does not wait; the reload waits for its turn, and what needs it comes after. */
  async #reload(wanted: Model, { reasons, change }: Reload): Promise<readonly Problem[]> {
    const { delivery, rateLimit, passIn } = this.#with
    const { running } = delivery
    const policies = new Set(running?.fixed.policies.map((policy) => policy.name))
    const refused = running && delivery.isInStep ? await delivery.post(postable(change, policies)) : []
    const waitMs = running ? rateLimit.waitMs() : 0
    if (waitMs > 0) {
      passIn(waitMs)
      return refused
    }
    rateLimit.take()
    await this.#load(wanted.fixed, reasons)
    return delivery.post(liveChange(delivery.running?.live ?? nothing, wanted.live))
  }

  async #load(fixed: Fixed, reasons: readonly string[]): Promise<void> {
    const { delivery, metrics, log } = this.#with
    const startMs = performance.now()
    try {
      const { applied, conf } = await delivery.load(fixed)
      if (applied === "unchanged") return
      metrics.reloaded(numberOf(conf.hash), Date.now())
      this.#shownHash = conf.hash
      log.info({ reasons, hash: conf.hash, ms: Math.round(performance.now() - startMs) }, loaded[applied])
    } catch (error) {
      metrics.reloadFailed()
      this.#shownHash = undefined
      throw error
    }
  }

  /** Nothing had to be loaded, as after a takeover or when a bad change was taken back: what is in force is what should be. */
  #showHash(): void {
    const { hash } = this.#with.delivery
    if (hash === undefined || hash === this.#shownHash) return
    this.#with.metrics.reloadNotNeeded(numberOf(hash))
    this.#shownHash = hash
  }

  /** nginx refused the configuration: is it a key of the ConfigMap that it does not like? Then everything else need not wait for that key. */
  async #isAboutSettings(error: unknown, snapshot: Snapshot, settings: Settings): Promise<boolean> {
    if (!isRefusal(error)) return false
    const isTaken = (candidate: Settings) => {
      const { model } = translate(snapshot, candidate, this.#with.translateOptions)
      return this.#with.check(model.fixed).then(() => true, refusalIsFalse)
    }
    return this.#settings.refused(settings, error.message, isTaken)
  }

  #configMap({ configMaps }: Snapshot): ConfigMap | undefined {
    const { configmap } = this.#with
    return configmap && configMaps.get(qualifiedName(configmap))
  }

  #tell(problems: readonly Problem[]): void {
    this.#with.report.update(problems)
    this.#with.metrics.problems(problems)
  }
}

/** A number that metrics can show exactly. */
function numberOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 12), 16)
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "conf-refused"
}

function refusalIsFalse(error: unknown): false {
  if (isRefusal(error)) return false
  throw error
}

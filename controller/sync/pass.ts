import type { Options } from "../core/options/flags.ts"
import type { Settings } from "../core/options/settings.ts"
import { applyChange, type LiveChange, liveChange, noChange, postable } from "../core/plan/change.ts"
import { type Plan, plan } from "../core/plan/plan.ts"
import { type TranslateOptions, type Translation, translate } from "../core/translate/translate.ts"
import { type Facts, noFacts } from "../facts/facts.ts"
import type { Names } from "../facts/names/names.ts"
import type { Stapling } from "../facts/ocsp/stapling.ts"
import type { Secrets } from "../facts/secrets/secrets.ts"
import type { Snapshot } from "../input/store/snapshot.ts"
import type { Store } from "../input/store/store.ts"
import type { Certificate } from "../model/certificate.ts"
import type { Fixed, Live, Model } from "../model/model.ts"
import type { ConfigMap } from "../model/objects/config-map.ts"
import { qualifiedName } from "../model/objects/object.ts"
import type { Problem } from "../model/problem.ts"
import type { Delivery } from "../output/nginx/delivery.ts"
import type { Verdict } from "../output/nginx/trial.ts"
import type { Recorder } from "../report/events/recorder.ts"
import type { Health } from "../report/observe/health.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import type { ProblemReport } from "../report/problems/report.ts"
import { Failure } from "../support/failure.ts"
import type { Log } from "../support/log.ts"
import type { RateLimit } from "../support/rate-limit.ts"
import { ownPolicies, withOwnRoutes } from "./own-routes.ts"
import { CheckedPolicies } from "./policies.ts"
import { CheckedSettings } from "./settings.ts"
import type { TicketKeys } from "./ticket-keys.ts"

export interface SyncOptions {
  readonly store: Pick<Store, "snapshot">
  /** what DNS knows of the names that Services bear */
  readonly names: Pick<Names, "answers" | "want" | "learn">
  /** what Secrets bring for TLS */
  readonly secrets: Pick<Secrets, "read" | "states">
  /** what OCSP has to say of the certificates that are served */
  readonly stapling: Pick<Stapling, "states" | "want">
  readonly delivery: Pick<
    Delivery,
    "running" | "isServing" | "live" | "isInStep" | "hash" | "prepare" | "load" | "post" | "removeDue"
  >
  /** asks nginx whether it would take a configuration; rejects with Failure `conf-refused` */
  readonly check: (fixed: Fixed) => Promise<void>
  readonly ticketKeys: Pick<TicketKeys, "recall" | "withFormer">
  readonly translateOptions: TranslateOptions
  readonly configmap: Options["configmap"]
  /** `--health-check-path` */
  readonly healthPath: string
  /** nginx's modules for brotli are installed */
  readonly hasBrotli: boolean
  /** of reloads; posts are never held back */
  readonly rateLimit: Pick<RateLimit, "waitMs" | "take">
  /** asks for another pass in so many milliseconds */
  readonly passIn: (delayMs: number) => void
  readonly report: Pick<ProblemReport, "update">
  /** tells users by Events */
  readonly recorder: Pick<Recorder, "passed" | "reloaded" | "reloadFailed">
  readonly health: Pick<Health, "synced">
  readonly metrics: Pick<Metrics, "passed" | "problems" | "reloaded" | "reloadFailed" | "reloadNotNeeded">
  readonly log: Pick<Log, "info">
}

/**
 * How long a pass waits for the first answers of new names, at most. Everything else that has changed waits with it; but as long as nothing of
 * this controller's is in force, what was there before goes on serving.
 */
const maxNameMs = { usual: 1000, first: 5000 }

/** ingress-nginx's words: people and their tools search logs for them. */
const reloadedMessage = "Backend successfully reloaded"

const none: readonly Certificate[] = []

/** How far a model came. */
interface BroughtIn {
  readonly refused: readonly Problem[]
  /** false while a reload has to wait */
  readonly isComplete: boolean
}

type Reload = Extract<Plan, { kind: "reload" }>

/** One pass from the objects to nginx. Passes never run side by side (queue.ts). */
export class Sync {
  readonly #with: SyncOptions
  readonly #settings = new CheckedSettings()
  readonly #policies = new CheckedPolicies()
  /** hash of the configuration that the metrics show */
  #shownHash: string | undefined

  constructor(options: SyncOptions) {
    this.#with = options
  }

  /** @throws Failure when the world is unwell; the next pass begins where this one stopped */
  async pass(): Promise<void> {
    const { store, secrets, delivery, health, metrics, passIn } = this.#with
    const startMs = performance.now()
    const snapshot = store.snapshot()
    await secrets.read(snapshot.secrets)
    this.#tell(snapshot, await this.#synchronise(snapshot))
    health.synced()
    metrics.passed((performance.now() - startMs) / 1000)
    const lingerMs = await delivery.removeDue()
    if (lingerMs !== undefined) passIn(lingerMs)
  }

  /** @returns everything that is wrong with the objects, what nginx does not take included */
  async #synchronise(snapshot: Snapshot): Promise<readonly Problem[]> {
    await this.#with.ticketKeys.recall(this.#with.delivery.running?.fixed)
    const { settings, problems: wrongSettings } = this.#settings.read(this.#configMap(snapshot), {
      configMap: (name) => snapshot.configMaps.get(name),
      secret: (name) => snapshot.secrets.get(name),
      hasBrotli: this.#with.hasBrotli,
    })
    const { model, problems } = await this.#translateWithNames(snapshot, settings)
    const wrong = [...snapshot.problems, ...wrongSettings, ...problems]
    try {
      const { refused, isComplete } = await this.#bringIn(model)
      this.#showHash()
      if (isComplete) this.#taken(settings, model)
      return [...wrong, ...refused]
    } catch (error) {
      if (await this.#isAboutObjects(error, snapshot, settings)) return this.#synchronise(snapshot)
      this.#tell(snapshot, wrong)
      throw error
    }
  }

  /** New names are waited for, a little: a Service that changes its name must not be without endpoints meanwhile. */
  async #translateWithNames(snapshot: Snapshot, settings: Settings): Promise<Translation> {
    const { names, stapling, delivery } = this.#with
    const known = this.#translate(snapshot, settings)
    names.want(known.wantedNames, !settings.disableIpv6Dns)
    stapling.want(settings.staplesOcsp ? known.model.live.certificates : none)
    const maxMs = delivery.isInStep ? maxNameMs.usual : maxNameMs.first
    return (await names.learn(maxMs)) ? this.#translate(snapshot, settings) : known
  }

  #translate(objects: Snapshot, settings: Settings): Translation {
    const { translateOptions, healthPath, ticketKeys } = this.#with
    const translation = translate(objects, this.#facts(settings), settings, translateOptions)
    const { model, problems } = this.#policies.leaveOut(translation.model)
    return {
      ...translation,
      model: ticketKeys.withFormer(withOwnRoutes(model, healthPath), Date.now()),
      problems: [...translation.problems, ...problems],
    }
  }

  /** What is known at this time. */
  #facts({ staplesOcsp }: Settings): Facts {
    const { names, secrets, stapling } = this.#with
    return {
      names: names.answers(),
      tlsSecrets: secrets.states(),
      ocsp: staplesOcsp ? stapling.states() : noFacts.ocsp,
    }
  }

  #taken(settings: Settings, { fixed }: Model): void {
    this.#settings.taken(settings)
    if (this.#policies.taken(fixed.http)) this.#with.passIn(0)
    const { formerTicketKey } = fixed.http.tls
    if (formerTicketKey) this.#with.passIn(Math.max(formerTicketKey.untilMs - Date.now(), 0))
  }

  async #bringIn(wanted: Model): Promise<BroughtIn> {
    const planned = plan(this.#with.delivery.running, wanted)
    switch (planned.kind) {
      case "nothing":
        return complete(await this.#post(wanted.live, noChange))
      case "post":
        return complete(await this.#post(wanted.live, planned.change))
      case "reload":
        return this.#reload(wanted, planned)
      default:
        return planned satisfies never
    }
  }

  /** What needs no reload goes first and does not wait; the reload waits for its turn, and what needs it comes after. */
  async #reload(wanted: Model, { reasons, change }: Reload): Promise<BroughtIn> {
    const { delivery, rateLimit, passIn } = this.#with
    const { running, isServing } = delivery
    if (!isServing) return this.#start(wanted)
    const refused = running && delivery.isInStep ? await this.#postEarly(running, change) : []
    const waitMs = running ? rateLimit.waitMs() : 0
    if (waitMs > 0) {
      passIn(waitMs)
      return { refused, isComplete: false }
    }
    rateLimit.take()
    await this.#load(wanted.fixed, { reasons }, reloadedMessage)
    return complete(await this.#post(wanted.live, liveChange(delivery.live, wanted.live)))
  }

  /** Everything is in its place before the first request comes. */
  async #start(wanted: Model): Promise<BroughtIn> {
    const { delivery, rateLimit } = this.#with
    rateLimit.take()
    await this.#taking(delivery.prepare(wanted.fixed))
    const refused = await this.#post(wanted.live, liveChange(delivery.live, wanted.live))
    await this.#load(wanted.fixed, {}, "Started nginx")
    return complete(refused)
  }

  #postEarly({ fixed, live }: Model, change: LiveChange): Promise<readonly Problem[]> {
    const policies = new Set([...fixed.policies.map((policy) => policy.name), ...ownPolicies])
    const early = postable(change, policies)
    return this.#post(applyChange(live, early), early)
  }

  #post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    return this.#with.delivery.post(wanted, change)
  }

  async #load(fixed: Fixed, fields: object, message: string): Promise<void> {
    const { delivery, metrics, recorder, log } = this.#with
    const startMs = performance.now()
    const hash = await this.#taking(delivery.load(fixed))
    if (hash === undefined) return
    metrics.reloaded(numberOf(hash), Date.now())
    recorder.reloaded()
    this.#shownHash = hash
    log.info({ ...fields, hash, ms: Math.round(performance.now() - startMs) }, message)
  }

  /** Whoever watches hears when nginx does not come to take a configuration. */
  async #taking<T>(attempt: Promise<T>): Promise<T> {
    try {
      return await attempt
    } catch (error) {
      this.#with.metrics.reloadFailed()
      if (error instanceof Failure) this.#with.recorder.reloadFailed(error.message)
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

  /** nginx refused the configuration: is it something of a user that it does not like? Then everything else need not wait for that. */
  async #isAboutObjects(error: unknown, snapshot: Snapshot, settings: Settings): Promise<boolean> {
    if (!isRefusal(error)) return false
    const fixedWith = (candidate: Settings) => this.#translate(snapshot, candidate).model.fixed
    if (await this.#settings.refused(settings, (candidate) => this.#verdict(fixedWith(candidate))))
      return true
    const { http } = fixedWith(this.#settings.good)
    const inForce = this.#with.delivery.running?.fixed.policies ?? []
    return this.#policies.refused(fixedWith(settings), inForce, http, (fixed) => this.#verdict(fixed))
  }

  /** @throws Failure when nginx could not be asked */
  async #verdict(fixed: Fixed): Promise<Verdict> {
    try {
      await this.#with.check(fixed)
      return "taken"
    } catch (error) {
      if (isRefusal(error)) return { reason: error.message }
      throw error
    }
  }

  #configMap({ configMaps }: Snapshot): ConfigMap | undefined {
    const { configmap } = this.#with
    return configmap && configMaps.get(qualifiedName(configmap))
  }

  #tell(snapshot: Snapshot, problems: readonly Problem[]): void {
    const { report, metrics, recorder } = this.#with
    const appeared = report.update(problems)
    metrics.problems(problems)
    recorder.passed(snapshot, problems, appeared)
  }
}

/** A number that metrics can show exactly. */
function numberOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 12), 16)
}

function complete(refused: readonly Problem[]): BroughtIn {
  return { refused, isComplete: true }
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "conf-refused"
}

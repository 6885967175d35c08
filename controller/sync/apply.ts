import { isDeepStrictEqual } from "node:util"
import { applyChange, type LiveChange, liveChange, noChange, postable } from "../core/plan/change.ts"
import { type Plan, plan } from "../core/plan/plan.ts"
import type { Fixed, Live, Model } from "../model/model.ts"
import type { Problem } from "../model/problem.ts"
import type { Route } from "../model/route.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import type { Recorder } from "../report/events/recorder.ts"
import type { ReloadHistory } from "../report/history/reload-history.ts"
import { checksumOf } from "../support/content-name.ts"
import { Failure } from "../support/failure.ts"
import type { Log } from "../support/log.ts"
import type { RateLimit } from "../support/rate-limit.ts"
import { reached } from "../support/stages.ts"
import { ownLocations } from "./own-routes.ts"
import type { ReloadMetrics } from "./reload-metrics.ts"
import { type ReloadShares, routesNaming, waitingProblems } from "./reload-shares.ts"

export interface ApplyOptions {
  readonly plane: Pick<
    DataPlane,
    "running" | "isServing" | "live" | "isInStep" | "hash" | "prepare" | "load" | "post"
  >
  /** of reloads; posts are never held back */
  readonly rateLimit: Pick<RateLimit, "waitMs" | "take">
  /** of those that only locations need, by namespace */
  readonly reloadShares: Pick<ReloadShares, "waitMs" | "take">
  /** asks for another pass in so many milliseconds */
  readonly passIn: (delayMs: number) => void
  /** tells users by Events */
  readonly recorder: Pick<Recorder, "reloaded" | "reloadFailed">
  readonly metrics: ReloadMetrics
  /** for the page */
  readonly reloads: Pick<ReloadHistory, "reloaded" | "failed">
  readonly log: Pick<Log, "info">
}

/** How far a model came. */
export interface Applied {
  /** about what nginx did not take of the live half, and what waits for a reload */
  readonly refused: readonly Problem[]
  /** false while a reload has to wait */
  readonly isComplete: boolean
  readonly how: Plan["kind"]
}

type Reload = Extract<Plan, { kind: "reload" }>

/** ingress-nginx's words: people and their tools search logs for them. */
const reloadedMessage = "Backend successfully reloaded"

/** Brings the data plane from what it runs with to a model: by posts where they are enough, by a reload where not. */
export class Apply {
  readonly #with: ApplyOptions
  /** hash of the configuration that the metrics show */
  #shownHash: string | undefined
  /** namespaces that the log has named since the last reload */
  #waitsFor = ""

  constructor(options: ApplyOptions) {
    this.#with = options
  }

  /** @throws Failure `conf-refused` when nginx does not take the fixed half; others when it cannot be reached */
  async apply(wanted: Model): Promise<Applied> {
    const planned = plan(this.#with.plane.running, wanted)
    reached("planned")
    const applied = await this.#carryOut(wanted, planned)
    reached("posted")
    this.#showHash()
    return applied
  }

  async #carryOut(wanted: Model, planned: Plan): Promise<Applied> {
    switch (planned.kind) {
      case "nothing":
        return complete(await this.#post(wanted.live, noChange), planned.kind)
      case "post":
        return complete(await this.#post(wanted.live, planned.change), planned.kind)
      case "reload":
        return this.#reload(wanted, planned)
      default:
        return planned satisfies never
    }
  }

  /** What needs no reload goes first and does not wait; the reload waits for its turn, and what needs it comes after. */
  async #reload(wanted: Model, { reasons, change }: Reload): Promise<Applied> {
    const { plane, rateLimit, reloadShares, passIn } = this.#with
    const { running, isServing } = plane
    if (!isServing) return this.#start(wanted)
    const refused = running && plane.isInStep ? await this.#postEarly(running, change) : []
    const causes = running ? causesOf(running.fixed, wanted) : nobody
    const namespaces = new Set(causes.routes.map(({ namespace }) => namespace))
    const shareMs = causes.areAll ? reloadShares.waitMs(namespaces) : 0
    const waitMs = running ? Math.max(rateLimit.waitMs(), shareMs) : 0
    if (waitMs > 0) {
      this.#tellOfWait(shareMs, namespaces)
      passIn(waitMs)
      const waits = shareMs > 0 ? waitingProblems(causes.routes) : []
      return { refused: [...refused, ...waits], isComplete: false, how: "reload" }
    }
    rateLimit.take()
    if (causes.areAll) reloadShares.take(namespaces)
    this.#waitsFor = ""
    await this.#load(wanted.fixed, reasons, reloadedMessage)
    return complete(await this.#post(wanted.live, liveChange(plane.live, wanted.live)), "reload")
  }

  /** Once, however many passes it takes. */
  #tellOfWait(shareMs: number, namespaces: ReadonlySet<string>): void {
    const waitsFor = shareMs > 0 ? [...namespaces].sort().join(",") : ""
    if (waitsFor !== "" && waitsFor !== this.#waitsFor)
      this.#with.log.info(
        { namespaces: waitsFor, ms: shareMs },
        "A reload waits: these namespaces have had their share of reloads",
      )
    this.#waitsFor = waitsFor
  }

  /** Everything is in its place before the first request comes. */
  async #start(wanted: Model): Promise<Applied> {
    const { plane, rateLimit } = this.#with
    rateLimit.take()
    await this.#orNote(plane.prepare(wanted.fixed), [])
    const refused = await this.#post(wanted.live, liveChange(plane.live, wanted.live))
    await this.#load(wanted.fixed, [], "Started nginx")
    return complete(refused, "reload")
  }

  #postEarly({ fixed, live }: Model, change: LiveChange): Promise<readonly Problem[]> {
    const locations = new Set([...fixed.locations.map((location) => location.name), ...ownLocations])
    const early = postable(change, locations)
    return this.#post(applyChange(live, early), early)
  }

  #post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    return this.#with.plane.post(wanted, change)
  }

  /** @param reasons none at a start */
  async #load(fixed: Fixed, reasons: readonly string[], message: string): Promise<void> {
    const { plane, metrics, recorder, reloads, log } = this.#with
    const startMs = performance.now()
    const hash = await this.#orNote(plane.load(fixed), reasons)
    if (hash === undefined) return
    metrics.reloaded(checksumOf(hash), Date.now())
    metrics.reloadedFor(reasons.length > 0 ? reasons.map(kindOf) : ["start"])
    recorder.reloaded()
    this.#shownHash = hash
    const ms = Math.round(performance.now() - startMs)
    reloads.reloaded(reasons, { ms, hash })
    log.info({ ...(reasons.length > 0 && { reasons }), hash, ms }, message)
  }

  /** Health checks hear when nginx does not take a configuration. */
  async #orNote<T>(attempt: Promise<T>, reasons: readonly string[]): Promise<T> {
    const { metrics, recorder, reloads } = this.#with
    try {
      return await attempt
    } catch (error) {
      metrics.reloadFailed()
      if (error instanceof Failure) {
        recorder.reloadFailed(error.message)
        reloads.failed(reasons, error.message)
      }
      this.#shownHash = undefined
      throw error
    }
  }

  /** Nothing had to be loaded, as after a takeover or when a bad change was taken back: what is in force is what should be. */
  #showHash(): void {
    const { hash } = this.#with.plane
    if (hash === undefined || hash === this.#shownHash) return
    this.#with.metrics.reloadNotNeeded(checksumOf(hash))
    this.#shownHash = hash
  }
}

/** The routes for which there is to be a reload, and whether it is for nothing else. */
interface Causes {
  readonly routes: readonly Route[]
  readonly areAll: boolean
}

const nobody: Causes = { routes: [], areAll: false }

function causesOf(running: Fixed, wanted: Model): Causes {
  const inForce = new Set(running.locations.map(({ name }) => name))
  const added = wanted.fixed.locations.map(({ name }) => name).filter((name) => !inForce.has(name))
  const { http, streams } = wanted.fixed
  const areAll = isDeepStrictEqual([running.http, running.streams], [http, streams])
  return { routes: routesNaming(wanted.live.hosts, new Set(added)), areAll }
}

/** Names of locations are beyond number. */
function kindOf(reason: string): string {
  return reason.endsWith(" is new") ? "new location" : reason
}

function complete(refused: readonly Problem[], how: Plan["kind"]): Applied {
  return { refused, isComplete: true, how }
}

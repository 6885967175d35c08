import type { Fixed } from "../../model/model.ts"
import { sleep } from "../../support/abort.ts"
import { assertSame } from "../../support/content-name.ts"
import { Failure } from "../../support/failure.ts"
import type { ControlClient } from "../control/client.ts"
import { type ConfInForce, confInForce } from "../control/in-force-conf.ts"
import type { Conf } from "../render/render.ts"
import { holdAccessPipe, openAccessPipe } from "./access-log.ts"
import type { Build } from "./build.ts"
import { checkConf } from "./check.ts"
import { drain, stopDraining } from "./draining.ts"
import { emergencyIn, forgetEmergencies, hasGivenUp } from "./emergencies.ts"
import { type Layout, removeUnused, swapBack, swapIn, writeCandidate } from "./files.ts"
import {
  endOrphans,
  findNginx,
  type NginxProcess,
  noteGroup,
  noteOrphans,
  spawnNginx,
  untilTrue,
} from "./process.ts"
import { Restarts } from "./restarts.ts"
import { closeToOthers, moveSocketsAway, removeSockets, restoreSockets } from "./sockets.ts"
import { endOld, patienceMs, settle, startNext } from "./upgrade.ts"

// Keeps one nginx running with the configuration it is given. It knows processes, signals and files; what the configuration says and what is
// posted into it is others' business.

/** What nginx does now. */
export type DriverState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  /** `hash` is that of the configuration in force; undefined when it is not known, as after a reload that did not come through */
  | {
      readonly kind: "serving"
      readonly nginx: NginxProcess
      readonly hash: string | undefined
      /** of the files that it was started from */
      readonly build: string | undefined
    }
  | { readonly kind: "reloading"; readonly nginx: NginxProcess }
  /** the master died without being asked to */
  | { readonly kind: "failed"; readonly how: string }

export interface DriverOptions {
  readonly build: Pick<Build, "id" | "read" | "assertUnchanged">
  /** the nginx binary */
  readonly binary: string
  readonly layout: Layout
  readonly client: ControlClient
  /** the master is gone: nobody keeps what its workers serve up to date until another one is started */
  readonly died: (how: string) => void
  readonly signal: AbortSignal
}

/** Limits of patience, in milliseconds. */
const patience = { start: patienceMs, reload: 120_000, watch: 200 }

export class Driver {
  readonly #options: DriverOptions
  readonly #restarts = new Restarts()
  #state: DriverState = { kind: "stopped" }
  #watch: NodeJS.Timeout | undefined
  /** how many served since this controller began */
  #generation = 0
  /** the last of them */
  #served: NginxProcess | undefined
  /** what this controller brought in last */
  #brought: Pick<Conf, "hash" | "text"> | undefined

  constructor(options: DriverOptions) {
    this.#options = options
  }

  get state(): DriverState {
    return this.#state
  }

  /** Names the nginx that runs: one that is started or takes the place of another has a greater number. Undefined when there is none. */
  get generation(): number | undefined {
    return this.#nginx() && this.#generation
  }

  /** Pid of the master; undefined when there is none. */
  get masterPid(): number | undefined {
    return this.#nginx()?.pid
  }

  /** Whether it ever ran since this controller began. */
  get hasServed(): boolean {
    return this.#generation > 0
  }

  /** It was started from other files than there are now: no reload can make it go on with these. */
  get isOutdated(): boolean {
    if (this.#state.kind !== "serving" || this.#state.hash === undefined) return false
    return this.#state.build !== this.#options.build.id
  }

  /** Takes over an nginx that a controller before us left running. @returns false when there is none */
  async adopt(): Promise<boolean> {
    const { layout, signal } = this.#options
    await settle(layout, signal)
    const nginx = await findNginx(layout)
    if (!nginx) return false
    // It may have been started just before that controller was killed.
    await untilTrue(
      async () => (await this.#confInForce()) !== undefined || !nginx.isRunning(),
      patience.start,
      signal,
    )
    if (nginx.isRunning()) await this.#serve(nginx, await this.#confInForce())
    await stopDraining(this.#options.client)
    return nginx.isRunning()
  }

  /**
   * Asks whether nginx would take a configuration.
   *
   * @throws Failure `conf-refused` with nginx's own words, `nginx-missing`, `files-replaced`
   */
  async check(conf: Conf): Promise<void> {
    const { binary, layout, signal, build } = this.#options
    await build.assertUnchanged()
    await writeCandidate(layout, conf)
    const letGo = conf.text.includes(layout.accessPipe) ? holdAccessPipe(layout) : () => {}
    try {
      await checkConf(binary, layout, layout.candidate, signal)
    } finally {
      letGo()
    }
  }

  /**
   * Starts nginx where none runs; after deaths not at once. Workers that a dead master left go on until `endOrphans`.
   *
   * @param fixed what `conf` was rendered from, kept beside it
   * @throws Failure `nginx-ended`, `nginx-missing`, `start-lost`
   */
  async start(conf: Conf, fixed: Fixed): Promise<void> {
    const { layout, signal } = this.#options
    await sleep(this.#restarts.waitMs(), signal)
    signal.throwIfAborted()
    this.#state = { kind: "starting" }
    await noteOrphans(layout)
    await removeSockets(layout.sockets)
    await writeCandidate(layout, conf)
    await swapIn(layout, fixed)
    await this.#spawn(conf)
  }

  /**
   * Starts another nginx beside the one that runs, from the files as they are now; from then on it is the one that is driven. It serves nobody
   * before a `reload`; until then the old one does, and until `endOrphans` both.
   *
   * @param conf of the stage `holding`
   * @throws Failure as `check`; `upgrade-lost`, `nginx-ended`. What was in force stays
   */
  async upgrade(conf: Conf, fixed: Fixed): Promise<void> {
    const { layout, client, signal } = this.#options
    await this.check(conf)
    const old = this.#nginx()
    if (!old?.isRunning()) throw new Failure("nginx-ended", "Cannot replace nginx: it does not run")
    await swapIn(layout, fixed)
    try {
      const nginx = await startNext(layout, old, signal)
      client.moveTo(layout.nextSockets.control)
      await this.#serve(nginx, await this.#confInForce())
      this.#brought = conf
    } catch (error) {
      await swapBack(layout)
      throw error
    }
  }

  /**
   * Makes the nginx that runs go on with `conf`, which only takes effect after nginx has checked it; does nothing when it runs with it already.
   * Afterwards only workers with the new configuration accept connections; requests in the old ones finish.
   *
   * @param isForced for new workers, even when nginx runs with it already
   * @returns whether there was anything to do
   * @throws Failure as `check`; `reload-lost` when nginx did not take it although it had passed, `nginx-ended`. What was in force stays
   */
  async reload(conf: Conf, fixed: Fixed, isForced = false): Promise<boolean> {
    if (this.#isInForce(conf) && !isForced) return false
    await this.check(conf)
    // Asked for only now: it may have died during the check.
    const nginx = this.#nginx()
    if (!nginx?.isRunning()) throw new Failure("nginx-ended", "Cannot reload nginx: it does not run")
    await this.#reload(nginx, conf, fixed)
    this.#brought = conf
    return true
  }

  /** Ends the workers that dead masters left, and an nginx whose place was taken: what they did is now done by others. */
  async endOrphans(): Promise<void> {
    const { layout, signal } = this.#options
    await endOrphans(layout)
    await endOld(layout, signal)
  }

  /** Has clients leave, and serves them meanwhile. */
  drain(): Promise<void> {
    return drain(this.#options.client)
  }

  /** Lets requests finish and ends nginx. @param cut aborts the waiting: then nginx ends at once */
  async stop(cut: AbortSignal): Promise<void> {
    const nginx = this.#nginx()
    this.#unwatch()
    this.#state = { kind: "stopped" }
    await this.endOrphans()
    if (!nginx) return
    nginx.signal("SIGQUIT")
    if (await nginx.ended(Number.POSITIVE_INFINITY, cut)) return
    nginx.signal("SIGTERM")
    if (await nginx.ended(5000, new AbortController().signal)) return
    nginx.kill()
  }

  #isInForce({ hash, text }: Conf): boolean {
    if (this.#state.kind !== "serving" || this.#state.hash !== hash) return false
    if (this.#brought?.hash === hash) assertSame(hash, this.#brought.text, text)
    return true
  }

  async #spawn(conf: Conf): Promise<void> {
    const { binary, layout } = this.#options
    const letGo = conf.text.includes(layout.accessPipe) ? openAccessPipe(layout) : () => {}
    try {
      const nginx = await spawnNginx(binary, layout, (how) => this.#died(nginx, how))
      await this.#started(nginx, conf)
    } catch (error) {
      this.#state = { kind: "failed", how: "it could not be started" }
      throw error
    } finally {
      letGo()
    }
  }

  async #started(nginx: NginxProcess, conf: Conf): Promise<void> {
    const { layout, signal } = this.#options
    const isDecided = await untilTrue(
      async () => !nginx.isRunning() || (await this.#isUp(nginx, [], conf)),
      patience.start,
      signal,
    )
    if (!nginx.isRunning()) {
      const reason = (await emergencyIn(layout)) ?? "it ended, see its own lines above"
      throw new Failure("nginx-ended", `Cannot start nginx: ${reason}`)
    }
    if (!isDecided) {
      nginx.kill()
      throw new Failure("start-lost", "Cannot start nginx: it does not answer on its control socket")
    }
    await closeToOthers(layout.sockets)
    await this.#serve(nginx, { hash: conf.hash, build: this.#options.build.id })
    this.#brought = conf
  }

  async #reload(nginx: NginxProcess, conf: Conf, fixed: Fixed): Promise<void> {
    const { layout, build } = this.#options
    const old = nginx.acceptingWorkers()
    this.#state = { kind: "reloading", nginx }
    await swapIn(layout, fixed)
    await forgetEmergencies(layout)
    const takeBack = await this.#takePlace()
    nginx.signal("SIGHUP")
    if (await this.#isReplaced(nginx, old, conf)) {
      await closeToOthers(layout.sockets)
      await this.#serve(nginx, { hash: conf.hash, build: build.id })
      nginx.endOldest(conf.maxOldWorkers)
      return removeUnused(layout, conf)
    }
    await takeBack()
    await swapBack(layout)
    if (!nginx.isRunning()) throw new Failure("nginx-ended", "Cannot reload nginx: it has ended")
    await this.#serve(nginx, await this.#confInForce())
    const reason = (await emergencyIn(layout)) ?? "see its own lines above"
    throw new Failure("reload-lost", `Cannot reload nginx: it goes on with the old configuration: ${reason}`)
  }

  /** Before the first reload of an nginx that takes the place of another one. @returns undoes it */
  async #takePlace(): Promise<() => Promise<void>> {
    const { layout, client } = this.#options
    if (client.socketPath !== layout.nextSockets.control) return async () => {}
    await moveSocketsAway(layout.sockets)
    client.moveTo(layout.sockets.control)
    return async () => {
      await restoreSockets(layout.sockets)
      client.moveTo(layout.nextSockets.control)
    }
  }

  /** Waits until it is up without any of the old workers; false when it stays with them or ends. */
  async #isReplaced(nginx: NginxProcess, old: readonly number[], conf: Conf): Promise<boolean> {
    let isUp = false
    const isDecided = async () => {
      isUp = await this.#isUp(nginx, old, conf)
      return isUp || !nginx.isRunning() || (await hasGivenUp(this.#options.layout))
    }
    await untilTrue(isDecided, patience.reload, this.#options.signal)
    return isUp && nginx.isRunning()
  }

  /** True when all workers accept connections, none of the old ones does, and the configuration answers. */
  async #isUp(nginx: NginxProcess, old: readonly number[], conf: Conf): Promise<boolean> {
    const accepting = nginx.acceptingWorkers()
    const isComplete = accepting.length >= conf.workers && !old.some((pid) => accepting.includes(pid))
    return isComplete && (await this.#confInForce())?.hash === conf.hash
  }

  #confInForce(): Promise<ConfInForce | undefined> {
    return confInForce(this.#options.client)
  }

  async #serve(nginx: NginxProcess, conf: ConfInForce | undefined): Promise<void> {
    this.#state = { kind: "serving", nginx, hash: conf?.hash, build: conf?.build }
    if (nginx !== this.#served) this.#generation += 1
    this.#served = nginx
    await noteGroup(this.#options.layout, nginx)
    this.#unwatch()
    const look = () => {
      if (!nginx.isRunning()) this.#died(nginx, "its process is gone")
    }
    if (!nginx.isChild) this.#watch = setInterval(look, patience.watch).unref()
    look() // It may have ended before it was said to serve, when nobody heeded the event.
  }

  #died(nginx: NginxProcess, how: string): void {
    if (this.#nginx()?.pid !== nginx.pid) return
    this.#unwatch()
    this.#state = { kind: "failed", how }
    this.#restarts.died()
    this.#options.died(how)
  }

  #unwatch(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #nginx(): NginxProcess | undefined {
    return this.#state.kind === "serving" || this.#state.kind === "reloading" ? this.#state.nginx : undefined
  }
}

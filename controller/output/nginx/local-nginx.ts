import type { Options } from "../../core/options/flags.ts"
import type { LiveChange } from "../../core/plan/change.ts"
import type { Fixed, Live, Model } from "../../model/model.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import type { Problem } from "../../model/problem.ts"
import { ControlClient } from "../control/client.ts"
import { Control } from "../control/control.ts"
import { Patterns } from "../control/patterns.ts"
import { RequestSeries } from "../control/request-series.ts"
import { roomsIn } from "../control/shares/room.ts"
import { Shares } from "../control/shares/shares.ts"
import { ZoneGrowth } from "../control/zone-growth.ts"
import type { DataPlane, PlaneEvents } from "../plane/plane.ts"
import type { PolicyCompiler } from "../plane/policy-compiler.ts"
import type { Readings } from "../plane/readings.ts"
import { maxZoneSize, zoneSizes } from "../render/zone-sizes.ts"
import { Build } from "./build.ts"
import { Delivery } from "./delivery.ts"
import { Driver } from "./driver.ts"
import { localReadings } from "./local-readings.ts"
import { printer } from "./local-site.ts"
import { type Machine, readMachine } from "./machine.ts"
import { checkPorts, type Listener } from "./ports.ts"
import { haveOrphans } from "./process.ts"
import { nginxVersion } from "./version.ts"
import type { Workplace } from "./workplace.ts"

/** The data plane on this machine: one nginx, driven by files, signals and a socket in the runtime directory. */
export class LocalNginx implements DataPlane {
  readonly read: Readings
  readonly #workplace: Workplace
  readonly #machine: Machine
  readonly #build: Build
  readonly #driver: Driver
  readonly #delivery: Delivery
  readonly #series: RequestSeries | undefined
  readonly #listeners: readonly Listener[]
  readonly #check: (fixed: Fixed) => Promise<void>
  readonly #signal: AbortSignal

  /**
   * Makes everything ready for `adopt`.
   *
   * @param signal aborts when everything is to come to rest
   * @throws Failure when what nginx needs is not there
   */
  static async open(
    options: Options,
    workplace: Workplace,
    events: PlaneEvents,
    signal: AbortSignal,
    stack: AsyncDisposableStack,
  ): Promise<LocalNginx> {
    const { installation, layout } = workplace
    const build = await Build.of(installation)
    const client = new ControlClient(layout.sockets.control)
    stack.defer(() => client.close())
    const version = await nginxVersion(installation.nginx)
    return new LocalNginx(options, workplace, { build, client, version, events, signal })
  }

  private constructor(
    options: Options,
    workplace: Workplace,
    { build, client, version, events, signal }: Parts,
  ) {
    const { installation, layout } = workplace
    const machine = readMachine()
    const driver = new Driver({
      binary: installation.nginx,
      build,
      layout,
      client,
      died: (how) => events.died(how),
      signal,
    })
    const zones = new ZoneGrowth(client)
    const largest = ({ http }: Fixed) => maxZoneSize(http.processes, machine.memoryBytes)
    const shares = new Shares((fixed) =>
      roomsIn(zones.largest(zoneSizes(fixed.http.processes, machine.memoryBytes), largest(fixed))),
    )
    const isRunning = () => driver.generation !== undefined
    const render = printer(options, workplace, { machine, version, build, zones, isRunning })
    this.#delivery = new Delivery({
      ...{ driver, build, layout, zones, shares, render, events },
      control: new Control({ client, events }),
      patterns: new Patterns(client),
      maxZoneSize: largest,
    })
    this.#workplace = workplace
    this.#machine = machine
    this.#build = build
    this.#driver = driver
    this.#series = workplace.counted && new RequestSeries(client)
    this.#listeners = listeners(options)
    this.#check = (fixed) => driver.check(render(fixed, "serving"))
    this.#signal = signal
    const { statusPort } = options
    this.read = localReadings({
      ...{ workplace, client, shares, version, statusPort, series: this.#series },
      masterPid: () => driver.masterPid,
    })
  }

  get generation(): number | undefined {
    return this.#driver.generation
  }

  get running(): Model | undefined {
    return this.#delivery.running
  }

  get live(): Live {
    return this.#delivery.live
  }

  get hash(): string | undefined {
    return this.#delivery.hash
  }

  get isServing(): boolean {
    return this.#delivery.isServing
  }

  get isInStep(): boolean {
    return this.#delivery.isInStep
  }

  get isOutdated(): boolean {
    return this.#driver.isOutdated
  }

  get hasServed(): boolean {
    return this.#driver.hasServed
  }

  async adopt(): Promise<boolean> {
    const isTaken = await this.#delivery.adopt()
    // Workers of a dead master hold the ports, and serve until there is a new one.
    if (!isTaken && !(await haveOrphans(this.#workplace.layout))) await checkPorts(this.#listeners)
    return isTaken
  }

  check(fixed: Fixed): Promise<void> {
    return this.#check(fixed)
  }

  prepare(fixed: Fixed): Promise<void> {
    return this.#delivery.prepare(fixed)
  }

  load(fixed: Fixed): Promise<string | undefined> {
    return this.#delivery.load(fixed)
  }

  post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    return this.#delivery.post(wanted, change)
  }

  removeDue(): Promise<number | undefined> {
    return this.#delivery.removeDue()
  }

  async keepSeriesOf(ingresses: readonly Pick<Ingress, "meta">[]): Promise<void> {
    await this.#series?.keep(ingresses)
  }

  openPolicies<State>(failed: (error: unknown) => void): Promise<PolicyCompiler<State>> {
    const isForOthers = this.#machine.user !== undefined
    return this.#workplace.openPolicies({ build: this.#build.id, isForOthers, failed, signal: this.#signal })
  }

  drain(): Promise<void> {
    return this.#driver.drain()
  }

  stop(cut: AbortSignal): Promise<void> {
    return this.#driver.stop(cut)
  }
}

interface Parts {
  readonly build: Build
  readonly client: ControlClient
  /** of nginx */
  readonly version: readonly number[]
  readonly events: PlaneEvents
  readonly signal: AbortSignal
}

function listeners({ httpPort, httpsPort, statusPort, defaultServerPort }: Options): Listener[] {
  return [
    { host: "0.0.0.0", port: httpPort, flag: "--http-port" },
    { host: "0.0.0.0", port: httpsPort, flag: "--https-port" },
    { host: "0.0.0.0", port: defaultServerPort, flag: "--default-server-port" },
    { host: "127.0.0.1", port: statusPort, flag: "--status-port" },
  ]
}

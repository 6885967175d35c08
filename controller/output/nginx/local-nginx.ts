import type { Options } from "../../core/options/flags.ts"
import { ownPorts } from "../../core/options/own-ports.ts"
import type { LiveChange } from "../../core/plan/change.ts"
import type { Http } from "../../model/http.ts"
import type { Fixed, Live, Model } from "../../model/model.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { StreamPort } from "../../model/stream-listener.ts"
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
import type { RuleSetChecker } from "../plane/rule-set-checker.ts"
import { listenAddresses } from "../render/http/listen.ts"
import { maxZoneSize, zoneSizes } from "../render/zone-sizes.ts"
import { Build } from "./build.ts"
import { Delivery } from "./delivery.ts"
import { Driver } from "./driver.ts"
import { keepDatabases, putDatabase } from "./geo-files.ts"
import { capabilitiesOf } from "./installation.ts"
import { localReadings } from "./local-readings.ts"
import { printer } from "./local-site.ts"
import { type Machine, readMachine } from "./machine.ts"
import { checkPorts, type Listener, portsInUse } from "./ports.ts"
import { haveOrphans } from "./process.ts"
import { nginxTraits } from "./version.ts"
import type { Workplace } from "./workplace.ts"

/** What the data plane on this machine is made of. */
interface Parts {
  readonly workplace: Workplace
  readonly driver: Driver
  readonly delivery: Delivery
  readonly read: Readings
  /** absent: requests are not counted */
  readonly series: RequestSeries | undefined
  readonly check: (fixed: Fixed) => Promise<void>
  readonly listeners: readonly Listener[]
  readonly portsInUse: DataPlane["portsInUse"]
  readonly openPolicies: <State>(failed: (error: unknown) => void) => Promise<PolicyCompiler<State>>
  readonly openRuleSets: <State>(failed: (error: unknown) => void) => Promise<RuleSetChecker<State>>
}

/** The data plane on this machine: one nginx, driven by files, signals and a socket in the runtime directory. */
export class LocalNginx implements DataPlane {
  readonly read: Readings
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.read = parts.read
    this.#parts = parts
  }

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
    const { installation, layout, counted } = workplace
    const build = await Build.of(installation)
    const client = new ControlClient(layout.sockets.control)
    stack.defer(() => client.close())
    const { version, ...traits } = await nginxTraits(installation.nginx)
    const capabilities = capabilitiesOf(installation, traits)
    const machine = readMachine()
    const died = (how: string) => events.died(how)
    const driver = new Driver({ binary: installation.nginx, build, layout, client, died, signal })
    const zones = zonesOf(client, machine)
    const isRunning = () => driver.generation !== undefined
    const render = printer(options, workplace, { machine, version, build, zones: zones.zones, isRunning })
    const delivery = new Delivery({
      ...{ driver, build, layout, render, events, ...zones },
      control: new Control({ client, events }),
      patterns: new Patterns(client),
    })
    const series = counted && new RequestSeries(client)
    return new LocalNginx({
      ...{ workplace, driver, delivery, series, listeners: listeners(options) },
      read: localReadings({
        ...{ workplace, client, shares: zones.shares, version, capabilities, series },
        statusPort: options.statusPort,
        masterPid: () => driver.masterPid,
      }),
      portsInUse: (ports, http) => portsInUse(ports, listenAddresses(http, machine)),
      check: (fixed) => driver.check(render(fixed, "serving")),
      openPolicies: (failed) =>
        workplace.openPolicies({ build: build.id, isForOthers: machine.user !== undefined, failed, signal }),
      openRuleSets: (failed) => workplace.openRuleSets({ failed, signal }),
    })
  }

  get generation(): number | undefined {
    return this.#parts.driver.generation
  }

  get running(): Model | undefined {
    return this.#parts.delivery.running
  }

  get live(): Live {
    return this.#parts.delivery.live
  }

  get hash(): string | undefined {
    return this.#parts.delivery.hash
  }

  get isServing(): boolean {
    return this.#parts.delivery.isServing
  }

  get isInStep(): boolean {
    return this.#parts.delivery.isInStep
  }

  get isOutdated(): boolean {
    return this.#parts.driver.isOutdated
  }

  get hasServed(): boolean {
    return this.#parts.driver.hasServed
  }

  async adopt(): Promise<boolean> {
    const { delivery, workplace, listeners } = this.#parts
    const isTaken = await delivery.adopt()
    // Workers of a dead master hold the ports, and serve until there is a new one.
    if (!isTaken && !(await haveOrphans(workplace.layout))) await checkPorts(listeners)
    return isTaken
  }

  check(fixed: Fixed): Promise<void> {
    return this.#parts.check(fixed)
  }

  portsInUse(ports: readonly StreamPort[], http: Http): Promise<ReadonlyMap<string, string>> {
    return this.#parts.portsInUse(ports, http)
  }

  prepare(fixed: Fixed): Promise<void> {
    return this.#parts.delivery.prepare(fixed)
  }

  load(fixed: Fixed): Promise<string | undefined> {
    return this.#parts.delivery.load(fixed)
  }

  post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    return this.#parts.delivery.post(wanted, change)
  }

  removeDue(): Promise<number | undefined> {
    return this.#parts.delivery.removeDue()
  }

  async keepSeriesOf({ ingresses, gateway }: Pick<Snapshot, "ingresses" | "gateway">): Promise<void> {
    await this.#parts.series?.keep(ingresses, gateway.httpRoutes, gateway.grpcRoutes)
  }

  openPolicies<State>(failed: (error: unknown) => void): Promise<PolicyCompiler<State>> {
    return this.#parts.openPolicies(failed)
  }

  putDatabase(edition: string, from: string): Promise<void> {
    return putDatabase(this.#parts.workplace.layout, edition, from)
  }

  keepDatabases(editions: readonly string[]): Promise<void> {
    return keepDatabases(this.#parts.workplace.layout, editions)
  }

  openRuleSets<State>(failed: (error: unknown) => void): Promise<RuleSetChecker<State>> {
    return this.#parts.openRuleSets(failed)
  }

  drain(): Promise<void> {
    return this.#parts.driver.drain()
  }

  stop(cut: AbortSignal): Promise<void> {
    return this.#parts.driver.stop(cut)
  }
}

/** How large zones of shared memory are, may become, and who may have how much of them. */
function zonesOf(client: ControlClient, { memoryBytes }: Machine) {
  const zones = new ZoneGrowth(client)
  const maxSize = ({ http }: Fixed) => maxZoneSize(http.processes, memoryBytes)
  const shares = new Shares((fixed) =>
    roomsIn(zones.largest(zoneSizes(fixed.http.processes, memoryBytes), maxSize(fixed))),
  )
  return { zones, shares, maxZoneSize: maxSize }
}

function listeners(options: Options): Listener[] {
  return ownPorts(options).flatMap(({ flag, port, nginxHost: host }) => (host ? [{ host, port, flag }] : []))
}

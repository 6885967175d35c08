import { isDeepStrictEqual } from "node:util"
import type { Options } from "../../core/options/flags.ts"
import type { Leadership } from "../../input/provider/leadership.ts"
import type { OwnedKey, OwnedObjects } from "../../input/provider/owned-objects.ts"
import {
  allocatePorts,
  type GatewayPorts,
  printGatewayPorts,
  readGatewayPorts,
  recordedAs,
} from "../../model/gateway-ports.ts"
import { managedBy } from "../../model/managed-by.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { recordOf } from "../../model/objects/reader.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { Failure, reasonOf } from "../../support/failure.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import type { Log } from "../../support/log.ts"
import { Queue } from "../../support/queue.ts"
import { replicasOf } from "../status/replicas.ts"
import { type ExposedGateway, exposedGateways } from "./exposed-gateways.ts"
import { isUpToDate, updated } from "./updated.ts"
import { balancerObjects, headlessObjects, isMadeBy, type OwnObject, type Target } from "./wanted-objects.ts"

// Keeps the objects by which Gateways are reached, while this replica leads: their Services, what these lead to, and the record of which of our ports is
// whose. Only what differs is written.

export interface ExposureOptions {
  readonly options: Pick<Options, "gatewayPortRange" | "gatewayControllerName">
  /** the record of ports; undefined: Gateways have addresses of their own */
  readonly ports: { readonly namespace: string; readonly name: string } | undefined
  /** ports of the range that this controller listens on for other things */
  readonly reserved: ReadonlySet<number>
  /** the Pod that this controller is */
  readonly pod: { readonly namespace: string; readonly name: string }
  readonly snapshot: () => Pick<Snapshot, "gateway" | "configMaps" | "pods">
  readonly owned: OwnedObjects
  readonly leadership: Leadership
  /** told of a bug */
  readonly failed: (error: unknown) => void
  readonly log: Pick<Log, "info" | "warn">
}

/** How long changes are collected. */
const collectMs = 50

/** What somebody else has changed is mended so often. */
const mendMs = 60_000

export class Exposure {
  readonly #with: ExposureOptions
  readonly #stopping = new AbortController()
  readonly #rounds: Queue
  /** which Gateways there are, and their ports, changes more seldom than what else is looked at */
  readonly #exposed = new LastResult<readonly ExposedGateway[]>()
  #told = ""

  constructor(options: ExposureOptions) {
    this.#with = options
    this.#rounds = new Queue({
      pass: () => this.#round(),
      failed: (error) => this.#failed(error),
      signal: this.#stopping.signal,
    })
    options.leadership.onChange((isLeader) => {
      if (isLeader) this.#rounds.request()
    })
  }

  /** Objects may be others now, and everything that exists has been read. */
  changed(): void {
    this.#rounds.requestIn(collectMs)
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.idle()
  }

  async #round(): Promise<void> {
    const { leadership, snapshot, options } = this.#with
    if (!leadership.isLeader) return
    const signal = AbortSignal.any([leadership.term, this.#stopping.signal])
    const objects = snapshot()
    const exposed = this.#exposed.of([objects.gateway, objects.configMaps], () =>
      exposedGateways(objects, options.gatewayControllerName),
    )
    await this.#write(await this.#wanted(exposed, signal), signal)
    if (signal.aborted) return
    this.#told = ""
    if (exposed.length > 0) this.#rounds.requestIn(mendMs)
  }

  async #wanted(exposed: readonly ExposedGateway[], signal: AbortSignal): Promise<readonly OwnObject[]> {
    if (this.#with.ports === undefined) return exposed.flatMap(headlessObjects)
    const allocated = await this.#allocated(this.#with.ports, exposed, signal)
    const replicas = this.#replicas()
    return exposed.flatMap((it) => balancerObjects(it, allocated, replicas))
  }

  /** What is recorded of ports, with those that are new. */
  async #allocated(
    named: { readonly namespace: string; readonly name: string },
    exposed: readonly ExposedGateway[],
    signal: AbortSignal,
  ): Promise<GatewayPorts> {
    const { owned, snapshot } = this.#with
    const seen = snapshot().configMaps.get(qualifiedName(named))?.data ?? {}
    const current = this.#allocate(exposed, seen)
    if (isDeepStrictEqual(printGatewayPorts(current), seen)) return current
    let ports = current
    const change = (found: unknown) => {
      const data = recordOf(recordOf(found).data) as Readonly<Record<string, string>>
      ports = this.#allocate(exposed, data)
      const labels = { [managedBy.name]: managedBy.value }
      const metadata = { labels, ...recordOf(recordOf(found).metadata), ...named }
      const wanted = printGatewayPorts(ports)
      return isDeepStrictEqual(wanted, data) ? undefined : { ...recordOf(found), metadata, data: wanted }
    }
    await owned.update({ kind: "ConfigMap", ...named }, change, signal)
    return ports
  }

  #allocate(exposed: readonly ExposedGateway[], data: Readonly<Record<string, string>>): GatewayPorts {
    const { options, reserved } = this.#with
    const wanted = exposed.map(({ gateway, ports }) => {
      return [recordedAs(gateway.meta), [...new Set(ports.map(({ port }) => port))]] as const
    })
    return allocatePorts(new Map(wanted), readGatewayPorts(data), options.gatewayPortRange, reserved)
  }

  #replicas(): readonly Target[] {
    const { snapshot, pod } = this.#with
    const pods = replicasOf(snapshot().pods, pod) ?? []
    return pods.flatMap(({ addresses, isReady, isLeaving, nodeName }) =>
      addresses.map((address) => ({ address, isReady, isLeaving, nodeName })),
    )
  }

  /** One that is refused holds up no other; it is tried again with the next round. */
  async #write(wanted: readonly OwnObject[], signal: AbortSignal): Promise<void> {
    const { owned, log, options } = this.#with
    const byKey = new Map(
      wanted.map((object) => [`${object.kind} ${qualifiedName(object.metadata)}`, object]),
    )
    const differing = [...byKey].filter(([key, object]) => !isUpToDate(owned.seen.get(key), object))
    const isSurplus = (key: string, object: unknown) =>
      !byKey.has(key) && isMadeBy(object, options.gatewayControllerName)
    const surplus = [...owned.seen].filter(([key, object]) => isSurplus(key, object))
    const failures: Failure[] = []
    const attempt = async (work: Promise<void>) => {
      try {
        await work
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failures.push(error)
      }
    }
    for (const [key, object] of differing)
      await attempt(owned.update(keyOf(key), (found) => updated(found, object), signal))
    for (const [key] of surplus) await attempt(owned.remove(keyOf(key), signal))
    const [failure] = failures
    if (failure !== undefined && !signal.aborted) throw failure
    const written = differing.length + surplus.length
    if (written > 0) log.info({ objects: written }, "Wrote the Services of Gateways")
  }

  /** Another failure of the same sort is no news. */
  #failed(error: unknown): void {
    const { failed, log } = this.#with
    const detail = reasonOf(error)
    if (!(error instanceof Failure)) failed(error)
    else if (detail !== this.#told) log.warn({ detail }, "Cannot write the Services of Gateways")
    this.#told = detail
  }
}

/** Of `Service shop/web-wick`. */
function keyOf(key: string): OwnedKey {
  const [kind, namespace = "", name = ""] = key.split(/[ /]/)
  return { kind: kind === "Service" ? "Service" : "EndpointSlice", namespace, name }
}

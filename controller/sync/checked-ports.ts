import { listenerProblem } from "../core/declared/listener.ts"
import { complaint } from "../core/declared/problems.ts"
import type { Translation } from "../core/translate/translate.ts"
import type { WebPort } from "../model/listener.ts"
import type { Fixed, Model } from "../model/model.ts"
import type { Problem } from "../model/problem.ts"
import { isHandedOn, type StreamPort, streamName } from "../model/stream-listener.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { distinctBy } from "../support/distinct.ts"
import { leaveOutCulprits, type Verdict } from "./trial.ts"

/** After this time it is tried again whether a port is free. */
export const portRetryMs = 5000

type Asking = Pick<Translation, "listeners" | "streams">

/** The part of the data plane that knows which ports are free. */
interface Ports extends Pick<DataPlane, "running" | "portsInUse"> {
  readonly read: Pick<DataPlane["read"], "lastFixed">
}

/**
 * The model without those ports of TCP and UDP services and of listeners that nginx could not listen on: a reload would fail for everybody. One that
 * another program has is tried again; one that nginx refuses for another reason is when it was away from the objects.
 */
export class CheckedPorts {
  readonly #plane: Ports
  /** name of the port → why */
  #inUse: ReadonlyMap<string, string> = new Map()
  readonly #refused = new Map<string, string>()
  /** what was served last may have the ports yet, also while it is not known what runs */
  #trustsLast = true

  constructor(plane: Ports) {
    this.#plane = plane
  }

  /** Whether ports are left out that may become free. */
  get areAnyInUse(): boolean {
    return this.#inUse.size > 0
  }

  /** Tries ports that nginx does not listen on yet. */
  async look(fixed: Fixed): Promise<void> {
    if (listensAs(this.#plane.running?.fixed, fixed)) {
      this.#refused.clear()
      this.#inUse = new Map()
      return
    }
    const all = portsOf(fixed)
    const wanted = new Set(all.map(streamName))
    for (const name of this.#refused.keys()) if (!wanted.has(name)) this.#refused.delete(name)
    const own = all.length === 0 ? [] : await this.#listening()
    const names = new Set(own.map(streamName))
    const added = all.filter((port) => !names.has(streamName(port)))
    this.#inUse = added.length === 0 ? new Map() : await this.#plane.portsInUse(added, fixed.http)
  }

  async #listening(): Promise<readonly StreamPort[]> {
    const { running, read } = this.#plane
    const fixed = running?.fixed ?? (this.#trustsLast ? await read.lastFixed() : undefined)
    return fixed === undefined ? [] : portsOf(fixed)
  }

  /**
   * @param asking who asks for its ports
   * @returns the model to try, and a Problem for each port that is not served
   */
  leaveOut(
    model: Model,
    asking: Asking = { listeners: [], streams: [] },
  ): { readonly model: Model; readonly problems: readonly Problem[] } {
    if (this.#inUse.size === 0 && this.#refused.size === 0) return { model, problems: [] }
    const wanted = portsOf(model.fixed)
    const left = wanted.filter((port) => this.#faultOf(port) === undefined)
    if (left.length === wanted.length) return { model, problems: [] }
    const problems = wanted.flatMap((port) => {
      const fault = this.#faultOf(port)
      return fault === undefined ? [] : problemsOf(port, model.fixed, asking, fault)
    })
    return { model: { ...model, fixed: onlyWith(model.fixed, left) }, problems }
  }

  /**
   * nginx refused a configuration: finds out whether that was about ports.
   *
   * @param fixed of which nginx takes all but ports
   * @returns whether it was; `leaveOut` then leaves them out
   */
  async refused(fixed: Fixed, check: (fixed: Fixed) => Promise<Verdict>): Promise<boolean> {
    const wanted = portsOf(fixed)
    if (wanted.length === 0 || (await check(onlyWith(fixed, []))) !== "taken") return false
    const culprits = await leaveOutCulprits([], wanted, (some) => check(onlyWith(fixed, some)))
    for (const [port, reason] of culprits) this.#refused.set(streamName(port), reason)
    return culprits.size > 0
  }

  /** A configuration came into force, or it did not. */
  loaded(isInForce: boolean): void {
    this.#trustsLast = isInForce
  }

  #faultOf(port: StreamPort): string | undefined {
    const name = streamName(port)
    return this.#inUse.get(name) ?? this.#refused.get(name)
  }
}

/** Whether nothing is to be tried: lists of ports are the same objects from pass to pass as long as they say the same, and what is left out makes others. */
function listensAs(running: Fixed | undefined, wanted: Fixed): boolean {
  if (running === undefined) return false
  const { streams, listeners, http } = running
  return streams === wanted.streams && listeners === wanted.listeners && http.ports === wanted.http.ports
}

/** Those that objects ask for. No two have one name. */
function portsOf(fixed: Fixed): readonly StreamPort[] {
  const { http, streams = [], listeners = [] } = fixed
  const more = listeners.filter((listener) => !isOwn(listener, http.ports))
  const own = streams.filter((port) => !isHandedOn(port, fixed))
  return [...own, ...more.map(({ port }) => ({ protocol: "tcp", port }) as const)]
}

/** nginx listens there anyway. */
function isOwn({ port }: WebPort, { httpPort, httpsPort }: Fixed["http"]["ports"]): boolean {
  return port === httpPort || port === httpsPort
}

/** The same with these of `portsOf` only. */
function onlyWith(fixed: Fixed, ports: readonly StreamPort[]): Fixed {
  const names = new Set(ports.map(streamName))
  const { streams: allStreams = [], listeners: allListeners = [], ...others } = fixed
  const listeners = allListeners.filter(
    (it) => isOwn(it, fixed.http.ports) || names.has(streamName({ protocol: "tcp", port: it.port })),
  )
  const streams = allStreams.filter((port) =>
    isHandedOn(port, fixed) ? isHandedOn(port, { ...fixed, listeners }) : names.has(streamName(port)),
  )
  return {
    ...others,
    ...(listeners.length > 0 && { listeners }),
    ...(streams.length > 0 && { streams }),
  }
}

/** One for each place that asks for the port. */
function problemsOf(port: StreamPort, fixed: Fixed, asking: Asking, fault: string): readonly Problem[] {
  const isOfStreams = (stream: StreamPort) =>
    !isHandedOn(stream, fixed) && streamName(stream) === streamName(port)
  const isStream = fixed.streams?.some(isOfStreams) ?? false
  const taken = isStream ? takenStreams(port, asking, fault) : takenListeners(port, asking, fault)
  return distinctBy(taken, ({ object, field }) => JSON.stringify([object, field]))
}

function takenListeners({ port }: StreamPort, { listeners }: Asking, fault: string): readonly Problem[] {
  return listeners.filter((it) => it.port === port).map((it) => listenerProblem(it, fault))
}

function takenStreams(
  { protocol, port }: StreamPort,
  { streams }: Asking,
  fault: string,
): readonly Problem[] {
  const message = `Cannot listen on ${protocol.toUpperCase()} port ${port}: ${fault}`
  return streams
    .filter((it) => it.protocol === protocol && it.port === port)
    .flatMap(({ source, field, listeners = [{ source, field }] }) => listeners)
    .map((asker) => complaint(asker.source, asker.field, "stream-port-taken", message))
}

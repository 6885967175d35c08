import { fieldPath } from "../model/field-path.ts"
import type { Fixed, Model } from "../model/model.ts"
import type { Problem } from "../model/problem.ts"
import type { Stream } from "../model/stream.ts"
import { type StreamPort, sourceObject, streamName } from "../model/stream-listener.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { leaveOutCulprits, type Verdict } from "./trial.ts"

/** After this time it is tried again whether a port is free. */
export const portRetryMs = 5000

/** Who knows which ports are free. */
interface Ports extends Pick<DataPlane, "running" | "portsInUse"> {
  readonly read: Pick<DataPlane["read"], "lastFixed">
}

/**
 * The model without those ports of TCP and UDP services that nginx could not listen on: a reload would fail for everybody. One that another program
 * has is tried again; one that nginx refuses for another reason is when it was away from the ConfigMap.
 */
export class CheckedPorts {
  readonly #plane: Ports
  /** name of the stream → why */
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
  async look({ http, streams = [] }: Fixed): Promise<void> {
    const wanted = new Set(streams.map(streamName))
    for (const name of this.#refused.keys()) if (!wanted.has(name)) this.#refused.delete(name)
    const own = streams.length === 0 ? [] : await this.#listening()
    const names = new Set(own.map(streamName))
    const added = streams.filter((port) => !names.has(streamName(port)))
    this.#inUse = added.length === 0 ? new Map() : await this.#plane.portsInUse(added, http)
  }

  async #listening(): Promise<readonly StreamPort[]> {
    const { running, read } = this.#plane
    const fixed = running?.fixed ?? (this.#trustsLast ? await read.lastFixed() : undefined)
    return fixed?.streams ?? []
  }

  /** @returns the model to try, and a Problem for each port that is not served */
  leaveOut(model: Model): { readonly model: Model; readonly problems: readonly Problem[] } {
    const { streams: wanted = [], ...fixed } = model.fixed
    const left = wanted.filter((port) => this.#faultOf(port) === undefined)
    if (left.length === wanted.length) return { model, problems: [] }
    const problems = wanted.flatMap((port) => {
      const fault = this.#faultOf(port)
      return fault === undefined ? [] : problemsOf(port, model, fault)
    })
    return {
      model: { ...model, fixed: { ...fixed, ...(left.length > 0 && { streams: left }) } },
      problems,
    }
  }

  /**
   * nginx refused a configuration: finds out whether that was about ports.
   *
   * @param fixed of which nginx takes all but ports
   * @returns whether it was; `leaveOut` then leaves them out
   */
  async refused(
    { streams = [], ...others }: Fixed,
    check: (fixed: Fixed) => Promise<Verdict>,
  ): Promise<boolean> {
    if (streams.length === 0 || (await check(others)) !== "taken") return false
    const culprits = await leaveOutCulprits([], streams, (some) => check({ ...others, streams: some }))
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

/** One for each object that wants the port. */
function problemsOf(port: StreamPort, { live }: Model, fault: string): readonly Problem[] {
  const { protocol, port: number } = port
  const isOfPort = ({ name }: Stream) => name.startsWith(`${protocol}:`) && name.endsWith(`:${number}`)
  const sources = new Set(live.streams.filter(isOfPort).map(({ source = "" }) => source))
  return [...sources].map((source) => {
    const object = sourceObject(source)
    return {
      object,
      field: object.kind === "ConfigMap" ? fieldPath("data", [String(number)]) : "spec.listeners",
      code: "stream-port-taken",
      message: `Cannot listen on ${protocol.toUpperCase()} port ${number}: ${fault}`,
    }
  })
}

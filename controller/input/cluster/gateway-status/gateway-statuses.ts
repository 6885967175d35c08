import { type StatusKind, statusKinds } from "../../../model/object-status.ts"
import type { Kind } from "../../../model/objects/object.ts"
import type { StatusText } from "../../../model/status-text.ts"
import type { GatewayStatusWriter } from "../../provider/status.ts"
import type { Api } from "../api.ts"
import { ObjectStatuses } from "../object-statuses.ts"
import { gatewayStatusParts } from "./status-of-kinds.ts"

/** Of each kind: more than come within the time in which changes are collected (report/status/gateway-status.ts). */
const keptObjects = 128

/** The statuses of all kinds of the Gateway API; names are `HTTPRoute shop/cart`. */
export class GatewayStatuses implements GatewayStatusWriter {
  readonly #kinds: ReadonlyMap<string, ObjectStatuses<StatusText>>
  #changed = new Set<string>()

  /** @param dateMs the time, milliseconds since 1970 */
  constructor(api: Pick<Api, "send">, controllerName: string, dateMs: () => number = Date.now) {
    const parts = gatewayStatusParts(controllerName, dateMs)
    const statusesOf = (kind: StatusKind) => new ObjectStatuses(api, kind, parts[kind], keptObjects)
    this.#kinds = new Map(statusKinds.map((kind) => [kind, statusesOf(kind)]))
  }

  /** @param name `namespace/name` @param object as the API server sent it; undefined when it is gone */
  observe(kind: Kind, name: string, object: unknown): void {
    const statuses = this.#kinds.get(kind)
    if (statuses === undefined) return
    const before = statuses.current(name)
    statuses.observe(name, object)
    const current = statuses.current(name)
    if (current === before) return
    // Who does not lead is not asked for changes: of what is gone nothing may be left.
    if (current === undefined) this.#changed.delete(`${kind} ${name}`)
    else this.#changed.add(`${kind} ${name}`)
  }

  current(named: string): StatusText | undefined {
    const [kind, name] = parted(named)
    return this.#kinds.get(kind)?.current(name)
  }

  async write(named: string, part: StatusText, signal: AbortSignal): Promise<void> {
    const [kind, name] = parted(named)
    await this.#kinds.get(kind)?.write(name, part, signal)
  }

  changed(): ReadonlySet<string> {
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }
}

function parted(named: string): readonly [kind: string, name: string] {
  const at = named.indexOf(" ")
  return [named.slice(0, at), named.slice(at + 1)]
}

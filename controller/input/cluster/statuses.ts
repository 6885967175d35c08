import type { Kind } from "../../model/objects/object.ts"
import { Failure, reasonOf } from "../../support/failure.ts"
import type { Statuses, StatusKind, StatusParts, StatusWriter } from "../provider/status.ts"
import { type Api, ApiFailure } from "./api.ts"
import { pathOfObject } from "./kinds.ts"
import { type PartOfStatus, statusParts } from "./status-parts.ts"

/** The statuses of all kinds that this controller writes to. */
export class ClusterStatuses implements Statuses {
  readonly Ingress: ObjectStatuses<"Ingress">

  constructor(api: Api) {
    this.Ingress = new ObjectStatuses(api, "Ingress", statusParts.Ingress)
  }

  /** @param object as the API server sent it; undefined when it is gone */
  observe(kind: Kind, name: string, object: unknown): void {
    if (isStatusKind(kind)) this[kind].observe(name, object)
  }
}

function isStatusKind(kind: Kind): kind is StatusKind {
  return kind in statusParts
}

/**
 * Our part of the status of every object of a kind, as it was last seen in the API server or written to it. It is no part of the objects that the store
 * keeps: a status that was written must not look like a change.
 */
export class ObjectStatuses<K extends StatusKind> implements StatusWriter<StatusParts[K]> {
  readonly #api: Api
  readonly #kind: K
  readonly #part: PartOfStatus<StatusParts[K]>
  readonly #seen = new Map<string, StatusParts[K]>()
  /** nearly all Ingresses have the same addresses: one object for them */
  #usual: StatusParts[K] | undefined

  constructor(api: Api, kind: K, part: PartOfStatus<StatusParts[K]>) {
    this.#api = api
    this.#kind = kind
    this.#part = part
  }

  /** @param object as the API server sent it; undefined when it is gone */
  observe(name: string, object: unknown): void {
    if (object === undefined) this.#seen.delete(name)
    else this.#seen.set(name, this.#shared(this.#part.read(object)))
  }

  current(name: string): StatusParts[K] | undefined {
    return this.#seen.get(name)
  }

  async write(name: string, part: StatusParts[K], signal: AbortSignal): Promise<void> {
    try {
      await this.#replace(name, part, signal).catch((error: unknown) => {
        if (statusOf(error) !== 409) throw error
        // somebody else wrote in between: with what is there now
        return this.#replace(name, part, signal)
      })
    } catch (error) {
      if (statusOf(error) !== 404) throw explained(this.#kind, name, error)
    }
  }

  /** As an update of the whole object: the right to patch is not among those that ingress-nginx has. */
  async #replace(name: string, part: StatusParts[K], signal: AbortSignal): Promise<void> {
    const [namespace = "", short = ""] = name.split("/")
    const path = pathOfObject(this.#kind, { namespace, name: short })
    const before = this.#seen.get(name)
    const found = await this.#api.send({ method: "GET", path }, signal)
    if (!this.#part.isSame(this.#part.read(found), part)) {
      const body = { ...Object(found), status: this.#part.put(Object(found).status, part) }
      await this.#api.send({ method: "PUT", path: `${path}/status`, body }, signal)
    }
    // What was seen meanwhile may be newer.
    if (before !== undefined && this.#seen.get(name) === before) this.#seen.set(name, this.#shared(part))
  }

  #shared(part: StatusParts[K]): StatusParts[K] {
    if (this.#usual === undefined || !this.#part.isSame(this.#usual, part)) this.#usual = part
    return this.#usual
  }
}

/** Of the HTTP answer; 0 when there was none. */
function statusOf(error: unknown): number {
  return error instanceof ApiFailure ? error.status : 0
}

/** An answer that is about this one object leaves the others a chance; without a proper answer nobody has one. */
function explained(kind: StatusKind, name: string, error: unknown): unknown {
  const status = statusOf(error)
  if (status < 400 || status >= 500 || ofAll.has(status)) return error
  const message = `Cannot write the status of ${kind} ${JSON.stringify(name)}: ${reasonOf(error)}`
  return new Failure("status-refused", message, { cause: error })
}

/** Unauthorized, Request Timeout, Too Many Requests. */
const ofAll: ReadonlySet<number> = new Set([401, 408, 429])

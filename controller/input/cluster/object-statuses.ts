import type { Kind } from "../../model/objects/object.ts"
import { Failure, reasonOf } from "../../support/failure.ts"
import type { StatusWriter } from "../provider/status.ts"
import { type Api, ApiFailure } from "./api.ts"
import { pathOfObject } from "./kinds.ts"
import { LatestObjects } from "./latest-objects.ts"
import type { PartOfStatus } from "./status-parts.ts"

/**
 * Our part of the status of every object of a kind, as it was last seen in the API server or written to it. It is no part of the objects that the store
 * keeps: a status that was written must not look like a change.
 */
export class ObjectStatuses<Part> implements StatusWriter<Part> {
  readonly #api: Pick<Api, "send">
  readonly #kind: Kind
  readonly #part: PartOfStatus<Part>
  readonly #latest: LatestObjects
  readonly #seen = new Map<string, Part>()
  /** of those of which the API server has kept something else than was written, as where its definition of the kind is older */
  readonly #altered = new Map<string, { readonly written: Part; readonly kept: Part }>()
  /** nearly all Ingresses have the same addresses: one object for them */
  #usual: Part | undefined

  /** @param keptObjects how many objects are kept as they came, so that they are written without being read */
  constructor(api: Pick<Api, "send">, kind: Kind, part: PartOfStatus<Part>, keptObjects = 0) {
    this.#api = api
    this.#kind = kind
    this.#part = part
    this.#latest = new LatestObjects(keptObjects)
  }

  /** @param object as the API server sent it; undefined when it is gone */
  observe(name: string, object: unknown): void {
    this.#latest.put(name, object)
    if (object === undefined) this.#forget(name)
    else this.#seen.set(name, this.#kept(name, this.#part.read(object)))
  }

  current(name: string): Part | undefined {
    const seen = this.#seen.get(name)
    const altered = this.#altered.size === 0 ? undefined : this.#altered.get(name)
    return seen !== undefined && altered && this.#part.isSame(seen, altered.kept) ? altered.written : seen
  }

  async write(name: string, part: Part, signal: AbortSignal): Promise<void> {
    try {
      await this.#unlessRaced(() => this.#replace(name, part, signal))
    } catch (error) {
      if (statusOf(error) !== 404) throw explained(this.#kind, name, error)
    }
  }

  /** When somebody else has written in between: again, with what is there now. */
  async #unlessRaced(replace: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await replace()
      } catch (error) {
        if (statusOf(error) !== 409 || attempt === maxAttempts) throw error
      }
    }
  }

  /** As an update of the whole object of that version: the right to patch is not among those that ingress-nginx has. */
  async #replace(name: string, part: Part, signal: AbortSignal): Promise<void> {
    const path = pathOfObject(this.#kind, nameIn(name))
    const before = this.#seen.get(name)
    const found = this.#latest.take(name) ?? (await this.#api.send({ method: "GET", path }, signal))
    if (!this.#part.isSame(this.#part.read(found), part)) {
      const body = { ...Object(found), status: this.#part.put(Object(found).status, part) }
      const answer = await this.#api.send({ method: "PUT", path: `${path}/status`, body }, signal)
      const kept = this.#part.read(answer)
      if (this.#part.isSame(kept, part)) this.#altered.delete(name)
      else this.#altered.set(name, { written: part, kept })
    }
    // What was seen meanwhile may be newer.
    if (before !== undefined && this.#seen.get(name) === before) this.#seen.set(name, this.#shared(part))
  }

  #forget(name: string): void {
    this.#seen.delete(name)
    this.#altered.delete(name)
  }

  /** What says the same as before is what was there before: for most, what was written. */
  #kept(name: string, part: Part): Part {
    const before = this.#seen.get(name)
    return before !== undefined && this.#part.isSame(before, part) ? before : this.#shared(part)
  }

  #shared(part: Part): Part {
    if (this.#usual === undefined || !this.#part.isSame(this.#usual, part)) this.#usual = part
    return this.#usual
  }
}

/** Several controllers write the status of some objects. */
const maxAttempts = 5

function nameIn(qualified: string): { readonly namespace: string; readonly name: string } {
  const [namespace = "", name] = qualified.split("/")
  return name === undefined ? { namespace: "", name: namespace } : { namespace, name }
}

/** Of the HTTP answer; 0 when there was none. */
function statusOf(error: unknown): number {
  return error instanceof ApiFailure ? error.status : 0
}

/** An answer that is about this one object leaves the others a chance; without a proper answer nobody has one. */
function explained(kind: Kind, name: string, error: unknown): unknown {
  const status = statusOf(error)
  if (status < 400 || status >= 500 || ofAll.has(status)) return error
  const message = `Cannot write the status of ${kind} ${JSON.stringify(name)}: ${reasonOf(error)}`
  return new Failure("status-refused", message, { cause: error })
}

/** Unauthorized, Request Timeout, Too Many Requests. */
const ofAll: ReadonlySet<number> = new Set([401, 408, 429])

// An API server that keeps Events and does what is asked of it, wrong or right, and a clock that stands until it is told to move.
import { setImmediate } from "node:timers/promises"
import { type Api, ApiFailure, type ApiRequest } from "../../../../../controller/input/cluster/api.ts"
import type { Time } from "../../../../../controller/input/cluster/time.ts"
import type { ObjectEvent } from "../../../../../controller/input/provider/event.ts"

interface EventObject {
  readonly metadata: { readonly name: string }
  readonly involvedObject: { readonly name: string }
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly count: number
}

/** What an answer is instead: a status of HTTP, 0 for none at all. */
type Trouble = Partial<{ status: number; reason: string; message: string; retryAfterMs: number }>

export class FakeApi implements Pick<Api, "send"> {
  readonly requests: ApiRequest[] = []
  readonly events = new Map<string, EventObject>()
  trouble: (request: ApiRequest) => Trouble | undefined = () => undefined
  /** the answer is lost on its way */
  losesAnswer = false
  /** answers wait for it */
  gate: Promise<void> = Promise.resolve()

  async send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    this.requests.push(request)
    await this.gate
    if (signal.aborted) throw new ApiFailure("given up", { status: 0 })
    const trouble = this.trouble(request)
    if (trouble) throw failure(trouble)
    this.#carryOut(request)
    if (this.losesAnswer) throw failure({ status: 0 })
    return {}
  }

  /** `count × type reason object: message` of each, in the order they were made. */
  told(): readonly string[] {
    return [...this.events.values()].map(
      ({ count, type, reason, involvedObject, message }) =>
        `${count} × ${type} ${reason} ${involvedObject.name}: ${message}`,
    )
  }

  #carryOut({ method, path, body }: ApiRequest): void {
    const given = body as EventObject
    if (method === "POST") {
      const key = `${path}/${given.metadata.name}`
      if (this.events.has(key)) throw failure({ status: 409, reason: "AlreadyExists" })
      this.events.set(key, given)
    } else {
      const before = this.events.get(path)
      if (before === undefined) throw failure({ status: 404, reason: "NotFound" })
      this.events.set(path, { ...before, ...given })
    }
  }
}

function failure({ status = 0, message = "it is unwell", ...rest }: Trouble): ApiFailure {
  return new ApiFailure(message, { status, ...rest })
}

/** Moves by `pass` alone; what sleeps until then goes on. */
export class FakeTime implements Time {
  now = 0
  #sleepers: { readonly atMs: number; readonly wake: () => void }[] = []
  readonly nowMs = () => this.now
  readonly dateMs = () => 1_800_000_000_000 + this.now
  readonly random = () => 0

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms <= 0 || signal.aborted) return
    await new Promise<void>((wake) => {
      this.#sleepers.push({ atMs: this.now + ms, wake })
      signal.addEventListener("abort", () => wake(), { once: true })
    })
  }

  /** Lets so many milliseconds go by, and everybody do what is due. */
  async pass(ms: number): Promise<void> {
    const endMs = this.now + ms
    for (;;) {
      await setImmediate()
      const next = this.#sleepers.toSorted((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined || next.atMs > endMs) break
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next)
      this.now = next.atMs
      next.wake()
    }
    this.now = endMs
  }
}

export const second = 1000
export const minute = 60 * second

/** `Warning HostBad shop/cart` with a message. */
export function event(text: string, message = "Why"): ObjectEvent {
  const [type = "", reason = "", object = ""] = text.split(" ")
  const [namespace = "", name = ""] = object.split("/")
  return {
    object: { kind: "Ingress", namespace, name, uid: `uid-of-${object}` },
    type: type === "Warning" ? "Warning" : "Normal",
    reason,
    message,
  }
}

// Statuses and Leadership whose every step the test decides.

import type { Leadership } from "../../../../controller/input/provider/leadership.ts"
import type { GatewayStatusWriter, StatusWriter } from "../../../../controller/input/provider/status.ts"
import type { StatusAddress } from "../../../../controller/model/objects/status-address.ts"
import type { StatusText } from "../../../../controller/model/status-text.ts"
import { Failure } from "../../../../controller/support/failure.ts"

export const ip = (text: string): StatusAddress => ({ ip: text, hostname: "" })

/** A write that has begun and waits for its end. */
export interface Write {
  readonly ingress: string
  readonly addresses: readonly StatusAddress[]
  readonly signal: AbortSignal
  end(failure?: Error): void
}

export class FakeStatuses implements StatusWriter<readonly StatusAddress[]> {
  readonly seen = new Map<string, readonly StatusAddress[]>()
  readonly writes: Write[] = []
  /** what a write comes to; undefined lets it wait for the test */
  answer: ((ingress: string) => Failure | "done") | undefined = () => "done"

  current(ingress: string): readonly StatusAddress[] | undefined {
    return this.seen.get(ingress)
  }

  write(ingress: string, addresses: readonly StatusAddress[], signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (failure?: Error) => {
      if (failure) return reject(failure)
      this.seen.set(ingress, addresses)
      resolve()
    }
    signal.addEventListener("abort", () => reject(new Failure("api-failed", "aborted")), { once: true })
    this.writes.push({ ingress, addresses, signal, end })
    const answer = this.answer?.(ingress)
    if (answer !== undefined) end(answer === "done" ? undefined : answer)
    return promise
  }

  /** The names of what was written since the last call. */
  take(): readonly string[] {
    return this.writes.splice(0).map(({ ingress }) => ingress)
  }
}

export class FakeLeadership implements Leadership {
  isLeader = false
  #ending = new AbortController()
  #tell: (isLeader: boolean) => void = () => {}

  get term(): AbortSignal {
    return this.#ending.signal
  }

  onChange(listener: (isLeader: boolean) => void): void {
    this.#tell = listener
  }

  begin(): void {
    this.isLeader = true
    this.#ending = new AbortController()
    this.#tell(true)
  }

  end(): void {
    this.isLeader = false
    this.#ending.abort()
    this.#tell(false)
  }
}

/** Statuses of the Gateway API as they are seen and written: names are `HTTPRoute shop/cart`. */
export class FakeGatewayStatuses implements GatewayStatusWriter {
  readonly seen = new Map<string, StatusText>()
  readonly writes: string[] = []
  #told: ReadonlyMap<string, StatusText> = new Map()

  current(name: string): StatusText | undefined {
    return this.seen.get(name)
  }

  async write(name: string, part: StatusText): Promise<void> {
    this.writes.push(name)
    this.seen.set(name, part)
  }

  changed(): readonly string[] {
    const changed = [...this.seen].filter(([name, part]) => this.#told.get(name) !== part)
    this.#told = new Map(this.seen)
    return changed.map(([name]) => name)
  }
}

export const refusal = (ingress: string) => new Failure("status-refused", `${ingress} is refused`)
export const outage = () => new Failure("api-failed", "API server is down")

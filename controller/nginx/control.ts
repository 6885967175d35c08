import { randomBytes } from "node:crypto"
import type { Live } from "../model/model.ts"
import { isEmpty } from "../plan/change.ts"
import type { HostName, LiveChange } from "../plan/plan.ts"
import { Failure } from "../support/failure.ts"
import type { ControlClient } from "./client.ts"
import { Linger } from "./linger.ts"
import { Poster, type PostMetrics } from "./poster.ts"
import { type Refusal, withoutRefused } from "./refusal.ts"
import { itemsOf, partsOf } from "./wire.ts"

// Brings the live half into the zones: small changes that build on each other, and everything at once when it is not known what is there.

/** How a change ended. */
export interface Outcome {
  /** what the zones hold now */
  readonly inForce: Live
  readonly refusals: readonly Refusal[]
}

export interface ControlOptions {
  readonly client: ControlClient
  readonly metrics: PostMetrics
  /** milliseconds, never back; tests give their own */
  readonly now?: () => number
}

/** A part of what `GET /configuration/names` lists (docs/wire.md 1). */
interface Names {
  readonly backends: readonly string[]
  readonly routes: readonly HostName[]
  /** where the next part begins; null behind the last one */
  readonly next: string | null
}

const namesAtOnce = 4096

export class Control {
  readonly #client: ControlClient
  readonly #poster: Poster
  readonly #linger: Linger

  constructor({ client, metrics, now }: ControlOptions) {
    this.#client = client
    this.#poster = new Poster(client, metrics, randomBytes(4).toString("hex"))
    this.#linger = new Linger(now)
  }

  /** False as long as it is not known what the zones hold. */
  get isInStep(): boolean {
    return this.#poster.isInStep
  }

  /** nginx was started: its zones are empty, whatever they were, and workers of the one before may still hold our connection. */
  startAnew(): void {
    this.#client.reconnect()
    this.#poster.forget()
    this.#linger.clear()
  }

  /** Whether there is any route in the zones. */
  async hasRoutes(): Promise<boolean> {
    const { routes } = await this.#names()
    return routes.length > 0
  }

  /**
   * Carries out a change, which leads from `running` to `wanted`. When it returns, every request that starts sees it, in every worker. Backends that it removes stay in the zone for a
   * while (linger.ts); when the zones are not as `running` says, everything is set anew.
   *
   * @throws Failure when nginx does not answer as it should; then nothing is known and the next call starts anew
   */
  async apply(running: Live, wanted: Live, change: LiveChange): Promise<Outcome> {
    if (!this.#poster.isInStep) return this.#replace(running, wanted)
    if (isEmpty(change)) return { inForce: wanted, refusals: [] }
    this.#noteBackends(change)
    const refusals = await this.#post({ ...change, removeBackends: [] })
    if (refusals === "out-of-step") return this.#replace(running, wanted)
    return { inForce: withoutRefused(running, wanted, refusals), refusals }
  }

  /** Removes the records of backends that have lingered long enough. @returns milliseconds until the next are due, if any */
  async removeDue(): Promise<number | undefined> {
    const due = this.#linger.due()
    if (due.length > 0) {
      const refusals = await this.#post({ ...noChange, removeBackends: due })
      for (const name of due) this.#linger.delete(name)
      if (refusals === "out-of-step") throw outOfStep()
    }
    return this.#linger.nextMs()
  }

  /** Sets everything and removes what else is there. Nothing is emptied first, so traffic goes on. */
  async #replace(running: Live, wanted: Live): Promise<Outcome> {
    this.#poster.forget()
    const there = await this.#names()
    const change = {
      setBackends: wanted.backends,
      setHosts: wanted.hosts,
      removeHosts: missingHosts(there.routes, wanted),
      removeBackends: missingBackends(there.backends, wanted),
    }
    this.#noteBackends(change)
    const refusals = await this.#post({ ...change, removeBackends: [] })
    if (refusals === "out-of-step") throw outOfStep()
    return { inForce: withoutRefused(running, wanted, refusals), refusals }
  }

  #noteBackends(change: LiveChange): void {
    for (const name of change.removeBackends) this.#linger.add(name)
    for (const backend of change.setBackends) this.#linger.delete(backend.name)
  }

  async #post(change: LiveChange): Promise<Refusal[] | "out-of-step"> {
    const refusals: Refusal[] = []
    this.#poster.begin()
    for (const part of partsOf(itemsOf(change))) {
      const refused = await this.#poster.post(part)
      if (refused === "out-of-step") return refused
      refusals.push(...refused)
    }
    // An empty wanted half still has to name a generation that the next change can build on.
    if (!this.#poster.isInStep) await this.#poster.post([])
    return refusals
  }

  /** Asks for parts, so that no worker is held up for long. */
  async #names(): Promise<Omit<Names, "next">> {
    const backends: string[] = []
    const routes: HostName[] = []
    let cursor = ""
    for (;;) {
      const { status, body } = await this.#client.get(`/configuration/names?limit=${namesAtOnce}${cursor}`)
      if (status !== 200)
        throw new Failure("control-failed", `Cannot list what nginx serves: it answered ${status}`)
      const part: Names = JSON.parse(body)
      backends.push(...part.backends)
      routes.push(...part.routes)
      if (part.next === null) return { backends, routes }
      cursor = `&cursor=${part.next}`
    }
  }
}

const noChange: LiveChange = { setBackends: [], removeBackends: [], setHosts: [], removeHosts: [] }

function missingHosts(there: readonly HostName[], { hosts }: Live): HostName[] {
  const wanted = new Set(hosts.map(({ server, host }) => `${server}/${host}`))
  return there.filter(({ server, host }) => !wanted.has(`${server}/${host}`))
}

function missingBackends(there: readonly string[], { backends }: Live): string[] {
  const wanted = new Set(backends.map(({ name }) => name))
  return there.filter((name) => !wanted.has(name))
}

function outOfStep(): Failure {
  return new Failure("control-contended", "Cannot bring changes in: somebody else changes what nginx serves")
}

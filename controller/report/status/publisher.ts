import type { Leadership } from "../../input/provider/leadership.ts"
import type { Statuses } from "../../input/provider/status.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { type StatusAddress, sameAddresses } from "../../model/objects/status-address.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { backoffMs } from "../../support/backoff.ts"
import type { Log } from "../../support/log.ts"
import { Queue } from "../../support/queue.ts"
import { type AddressOptions, addressesOf } from "./addresses.ts"
import { Refusals } from "./refusals.ts"
import { StatusReport } from "./status-log.ts"
import { writeAll } from "./write-all.ts"

export interface PublisherOptions {
  readonly snapshot: () => Pick<Snapshot, "ingresses" | "services" | "pods" | "nodes">
  readonly addresses: AddressOptions
  readonly statuses: Statuses
  readonly leadership: Leadership
  /** `--status-update-interval` */
  readonly intervalSeconds: number
  /** told of a bug */
  readonly failed: (error: unknown) => void
  readonly log: Pick<Log, "info" | "warn">
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/** How long changes are collected before they are written. */
const collectMs = 1000

/** Ingresses in a round, at most: a few seconds' work. What has changed meanwhile goes into the next one. */
const maxInRound = 1000

/** From a second up to the interval, when the API server does not answer. */
const backoff = { firstMs: 1000, jitter: [1, 0.8] } as const

/** What `--status-update-interval` may come to: at least as ingress-nginx has it, at most what a timer takes. */
const minSeconds = 5
const maxMs = 2 ** 31 - 1

/**
 * Keeps the status of the accepted Ingresses saying under which addresses they are reached, while this replica is the leader: a round at the
 * start of a term, about a second after a change, and every so often in case somebody else has written something. A round writes only what
 * differs, new Ingresses before those that have been there for longer.
 */
export class Publisher {
  readonly #with: PublisherOptions
  readonly #intervalMs: number
  readonly #stopping = new AbortController()
  readonly #rounds: Queue
  readonly #refusals: Refusals
  readonly #report: StatusReport
  #hasObjects = false
  #addresses: readonly StatusAddress[] = []
  /** rounds in a row that the API server broke */
  #broken = 0

  constructor(options: PublisherOptions) {
    this.#with = options
    this.#intervalMs = Math.min(Math.max(options.intervalSeconds, minSeconds) * 1000, maxMs)
    this.#refusals = new Refusals(this.#intervalMs)
    this.#report = new StatusReport(options.log)
    this.#rounds = new Queue({
      pass: () => this.#round(),
      failed: options.failed,
      signal: this.#stopping.signal,
    })
    options.leadership.onChange((isLeader) => {
      if (isLeader) this.#begin()
    })
  }

  /** Objects may be others now. Before the first call they have not all been read: nothing is written. */
  changed(): void {
    this.#hasObjects = true
    this.#rounds.requestIn(collectMs)
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.idle()
  }

  #begin(): void {
    this.#refusals.clear()
    if (this.#hasObjects) this.#rounds.request()
  }

  async #round(): Promise<void> {
    const { leadership, snapshot, addresses: options } = this.#with
    if (!leadership.isLeader) return
    const signal = AbortSignal.any([leadership.term, this.#stopping.signal])
    const objects = snapshot()
    const found = addressesOf(objects, options)
    this.#report.found(found)
    const names = objects.ingresses.map(({ meta }) => qualifiedName(meta))
    if (found.kind === "known") await this.#publish(names, found.addresses, signal)
    this.#rounds.requestIn(this.#pauseMs())
  }

  async #publish(
    names: readonly string[],
    addresses: readonly StatusAddress[],
    signal: AbortSignal,
  ): Promise<void> {
    if (!sameAddresses(this.#addresses, addresses)) this.#refusals.clear()
    this.#addresses = addresses
    const differing = names.filter((name) => this.#differs(name, addresses))
    const due = differing.filter((name) => !this.#refusals.has(name))
    const chosen = due.toReversed().slice(0, maxInRound)
    const outcome = await writeAll(chosen, addresses, this.#with.statuses, signal)
    if (signal.aborted) return
    if (chosen.length < due.length && !outcome.broken) this.#rounds.request()
    for (const name of outcome.refused.keys()) this.#refusals.add(name)
    this.#broken = outcome.broken ? this.#broken + 1 : 0
    this.#report.written({ ...outcome, addresses, left: differing.length - outcome.written })
  }

  /** One that is not known is gone, and the store hears of it next. */
  #differs(name: string, addresses: readonly StatusAddress[]): boolean {
    const current = this.#with.statuses.current(name)
    return current !== undefined && !sameAddresses(current, addresses)
  }

  #pauseMs(): number {
    if (this.#broken === 0) return this.#intervalMs
    const random = (this.#with.random ?? Math.random)()
    return backoffMs({ ...backoff, maxMs: this.#intervalMs }, this.#broken, random)
  }
}

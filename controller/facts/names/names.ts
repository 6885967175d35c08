import type { NameAnswer } from "../../model/name-answer.ts"
import { sleep } from "../../support/abort.ts"
import { limit } from "../../support/lanes.ts"
import { type Step, Tracker } from "../tracker.ts"
import type { Dns } from "./dns.ts"
import type { Outcome } from "./lookup.ts"
import { refreshMs, retryMs } from "./lookup-delays.ts"

// Names of ExternalName Services go in, their addresses come out and are kept fresh, each name once however many Services bear it. Nothing is
// known here of Services, backends or nginx.

export interface NamesOptions {
  readonly dns: Pick<Dns, "lookup">
  /** whether this machine could reach an IPv6 address at all */
  readonly hasIpv6: boolean
  /** an answer is another than before */
  readonly changed: () => void
  /** lets everything come to rest */
  readonly signal: AbortSignal
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/** Lookups that run side by side: a name server is a shared thing. */
const maxLookups = 32

/** What is known of a name. */
interface Known {
  /** absent until the first lookup has ended */
  readonly answer?: NameAnswer
  /** as in lookup.ts */
  readonly foundAs?: string
  /** lookups in a row that found nothing */
  readonly misses: number
}

/** Knows the addresses of names as DNS does, never asking while somebody waits for a request to be answered. */
export class Names {
  readonly #options: NamesOptions
  readonly #tracker: Tracker<string, Known, NameAnswer>
  readonly #lookups = limit(maxLookups)
  /** names for which DNS has not answered yet */
  readonly #unanswered = new Map<string, PromiseWithResolvers<void>>()
  /** those of them for which nobody has waited yet */
  readonly #fresh = new Set<string>()
  #withIpv6 = true

  constructor(options: NamesOptions) {
    this.#options = options
    this.#tracker = new Tracker<string, Known, NameAnswer>({
      begin: () => ({ known: { misses: 0 }, dueMs: 0 }),
      fetch: (name, known) => this.#lookups(() => this.#lookUp(name, known)),
      view: ({ answer }) => answer,
      fetched: (name, { answer, misses }) => {
        if (misses === 0 || answer?.kind === "absent") this.#answered(name)
      },
      dropped: (name) => {
        this.#answered(name)
        this.#fresh.delete(name)
      },
      changed: options.changed,
      signal: options.signal,
    })
  }

  /** What is known so far. The same object while nothing changes, and so is each answer in it. */
  answers(): ReadonlyMap<string, NameAnswer> {
    return this.#tracker.views()
  }

  /** Exactly these names are looked up from now on. @param wantsIpv6 whether AAAA records count where there are no A records, if this machine has IPv6 */
  want(names: ReadonlySet<string>, wantsIpv6: boolean): void {
    const withIpv6 = wantsIpv6 && this.#options.hasIpv6
    const isOtherFamily = withIpv6 !== this.#withIpv6
    this.#withIpv6 = withIpv6
    this.#tracker.keepOnly(names)
    if (isOtherFamily) this.#tracker.refetch()
    for (const name of names) if (!this.#tracker.has(name)) this.#track(name)
  }

  /** Waits until DNS has answered for the new names, and for none of them twice. @returns whether there were any */
  async learn(maxMs: number): Promise<boolean> {
    if (this.#fresh.size === 0) return false
    const fresh = [...this.#fresh].flatMap((name) => this.#unanswered.get(name)?.promise ?? [])
    this.#fresh.clear()
    const enough = new AbortController()
    await Promise.race([
      Promise.all(fresh),
      sleep(maxMs, AbortSignal.any([this.#options.signal, enough.signal])),
    ])
    enough.abort()
    return true
  }

  #track(name: string): void {
    this.#unanswered.set(name, Promise.withResolvers())
    this.#fresh.add(name)
    this.#tracker.track(name, name)
  }

  #answered(name: string): void {
    this.#unanswered.get(name)?.resolve()
    this.#unanswered.delete(name)
  }

  async #lookUp(name: string, known: Known): Promise<Step<Known>> {
    // it may have waited for its turn in vain
    if (!this.#tracker.has(name)) return { known }
    const { foundAs } = known
    return after(
      known,
      await this.#options.dns.lookup(name, { withIpv6: this.#withIpv6, foundAs }),
      this.#random(),
    )
  }

  #random(): number {
    return (this.#options.random ?? Math.random)()
  }
}

/** What is known when a lookup has ended so. */
function after(known: Known, outcome: Outcome, random: number): Step<Known> {
  const answer = answerAfter(known.answer, outcome)
  if (outcome.kind === "found") {
    const { foundAs, ttlSeconds } = outcome
    return { known: { answer, foundAs, misses: 0 }, dueMs: refreshMs(ttlSeconds, random) }
  }
  const misses = known.misses + 1
  return { known: { ...known, answer, misses }, dueMs: retryMs(misses, random) }
}

/** A failure says nothing about the name, so the answer before it stands. */
function answerAfter(before: NameAnswer | undefined, outcome: Outcome): NameAnswer {
  switch (outcome.kind) {
    case "found":
      return { kind: "found", addresses: [...new Set(outcome.addresses)].sort() }
    case "absent":
      return { kind: "absent", reason: outcome.reason }
    case "failed":
      return before?.kind === "found"
        ? stale(before, outcome.reason)
        : { kind: "unknown", reason: outcome.reason }
    default:
      return outcome satisfies never
  }
}

/** One reason for the whole of an outage: the next attempt may fail in another way. */
function stale(before: Extract<NameAnswer, { kind: "found" }>, reason: string): NameAnswer {
  return { ...before, stale: before.stale ?? { since: new Date().toISOString(), reason } }
}

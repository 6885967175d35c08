import { isDeepStrictEqual } from "node:util"
import { sleep } from "../../support/abort.ts"
import type { NameAnswer } from "./answer.ts"
import type { Dns } from "./dns.ts"
import type { Outcome } from "./lookup.ts"
import { refreshMs, retryMs } from "./schedule.ts"

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

/** A name that is wanted. */
interface Tracked {
  readonly name: string
  /** absent until the first lookup has ended */
  answer?: NameAnswer
  /** as in lookup.ts */
  foundAs?: string
  /** lookups in a row that found nothing */
  misses: number
  /** nobody has waited for its first answer yet */
  isNew: boolean
  /** when DNS has answered, or nobody wants it any more */
  readonly learnt: PromiseWithResolvers<void>
  cancelTimer: () => void
}

/** Knows the addresses of names as DNS does, never asking while somebody waits for a request to be answered. */
export class Names {
  readonly #options: NamesOptions
  readonly #tracked = new Map<string, Tracked>()
  readonly #waiting: Tracked[] = []
  #running = 0
  #withIpv6 = true
  #answers: ReadonlyMap<string, NameAnswer> | undefined

  constructor(options: NamesOptions) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#rest(), { once: true })
  }

  /** What is known so far. The same object while nothing changes, and so is each answer in it. */
  answers(): ReadonlyMap<string, NameAnswer> {
    this.#answers ??= new Map(
      [...this.#tracked.values()].flatMap(({ name, answer }) => (answer ? [[name, answer] as const] : [])),
    )
    return this.#answers
  }

  /** Exactly these names are looked up from now on. @param wantsIpv6 whether AAAA records count where there are no A records, if this machine has IPv6 */
  want(names: ReadonlySet<string>, wantsIpv6: boolean): void {
    const withIpv6 = wantsIpv6 && this.#options.hasIpv6
    const isOtherFamily = withIpv6 !== this.#withIpv6
    this.#withIpv6 = withIpv6
    for (const tracked of this.#tracked.values()) {
      if (!names.has(tracked.name)) this.#drop(tracked)
      else if (isOtherFamily) this.#lookUpIn(tracked, 0)
    }
    for (const name of names) if (!this.#tracked.has(name)) this.#track(name)
  }

  /** Waits until DNS has answered for the new names, and for none of them twice. @returns whether there were any */
  async learn(maxMs: number): Promise<boolean> {
    const fresh = [...this.#tracked.values()].filter(({ isNew }) => isNew)
    if (fresh.length === 0) return false
    for (const tracked of fresh) tracked.isNew = false
    const enough = new AbortController()
    const all = Promise.all(fresh.map(({ learnt }) => learnt.promise))
    await Promise.race([all, sleep(maxMs, AbortSignal.any([this.#options.signal, enough.signal]))])
    enough.abort()
    return true
  }

  #track(name: string): void {
    const learnt = Promise.withResolvers<void>()
    const tracked: Tracked = { name, misses: 0, isNew: true, learnt, cancelTimer: () => {} }
    this.#tracked.set(name, tracked)
    this.#line(tracked)
  }

  #drop(tracked: Tracked): void {
    tracked.cancelTimer()
    tracked.learnt.resolve()
    this.#tracked.delete(tracked.name)
    this.#answers = undefined
  }

  /** Nothing is looked up any more; what is known stays known. */
  #rest(): void {
    for (const { cancelTimer } of this.#tracked.values()) cancelTimer()
    this.#waiting.length = 0
  }

  #isTracked(tracked: Tracked): boolean {
    return this.#tracked.get(tracked.name) === tracked
  }

  #lookUpIn(tracked: Tracked, delayMs: number): void {
    tracked.cancelTimer()
    if (this.#options.signal.aborted) return
    const timer = setTimeout(() => this.#line(tracked), delayMs)
    tracked.cancelTimer = () => clearTimeout(timer)
  }

  #line(tracked: Tracked): void {
    if (this.#options.signal.aborted) return
    this.#waiting.push(tracked)
    this.#next()
  }

  #next(): void {
    while (this.#running < maxLookups) {
      const tracked = this.#waiting.shift()
      if (tracked === undefined) return
      if (this.#isTracked(tracked)) void this.#lookUp(tracked)
    }
  }

  async #lookUp(tracked: Tracked): Promise<void> {
    this.#running += 1
    const asked = { withIpv6: this.#withIpv6, foundAs: tracked.foundAs }
    const outcome = await this.#options.dns.lookup(tracked.name, asked)
    this.#running -= 1
    if (this.#isTracked(tracked)) this.#take(tracked, outcome)
    this.#next()
  }

  #take(tracked: Tracked, outcome: Outcome): void {
    const random = (this.#options.random ?? Math.random)()
    tracked.misses = outcome.kind === "found" ? 0 : tracked.misses + 1
    if (outcome.kind === "found") tracked.foundAs = outcome.foundAs
    const againMs =
      outcome.kind === "found" ? refreshMs(outcome.ttlSeconds, random) : retryMs(tracked.misses, random)
    this.#lookUpIn(tracked, againMs)
    this.#answer(tracked, answerAfter(tracked.answer, outcome))
    if (outcome.kind !== "failed") tracked.learnt.resolve()
  }

  #answer(tracked: Tracked, answer: NameAnswer): void {
    if (isDeepStrictEqual(tracked.answer, answer)) return
    tracked.answer = answer
    this.#answers = undefined
    this.#options.changed()
  }
}

/** What is known when a lookup has ended so: a failure says nothing about the name, so the answer before it stands. */
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

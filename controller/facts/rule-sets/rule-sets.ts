import { isDeepStrictEqual } from "node:util"
import type { RuleSet, RuleSetState, RuleSetTrouble, WantedRuleSet } from "../../model/rule-set.ts"
import { sleep } from "../../support/abort.ts"
import { type Backoff, backoffMs } from "../../support/backoff.ts"
import { type Step, Tracker } from "../tracker.ts"
import { Batches } from "./batches.ts"
import { Patience } from "./patience.ts"
import type { RuleSetCounts } from "./rule-set-metrics.ts"

// Rule sets of web application firewalls that somebody wants go in; out comes for each owner which one may be used. Each set is checked once, by a
// program of its own outside of passes; what an owner had before serves until then. What rules say is not known here.

export interface RuleSetsOptions {
  readonly checker: Checker
  /** another set of somebody may be used now */
  readonly changed: () => void
  readonly signal: AbortSignal
  /** learns how long a run of the checker took */
  readonly checked?: (seconds: number) => void
  /** tests give their own */
  readonly random?: () => number
}

type Verdict = { readonly kind: "accepted" } | RuleSetTrouble

/** The program that checks sets, and the files that it reads. */
interface Checker {
  /** of those that were accepted before and are still there: digests */
  readonly accepted: ReadonlySet<string>
  /** what the controller before kept; absent: nothing that counts */
  readonly state: RememberedRuleSets | undefined
  /** Never rejects. @returns a verdict for each digest */
  readonly check: (sets: readonly RuleSet[]) => Promise<ReadonlyMap<string, Verdict>>
  /** Others are of no use any more. */
  readonly keepOnly: (digests: ReadonlySet<string>) => void
  /** For the next start. */
  readonly remember: (state: RememberedRuleSets) => Promise<void>
}

/** By owner: the digest that was in force. */
export interface RememberedRuleSets {
  readonly inForce: Readonly<Record<string, string>>
}

interface Known {
  readonly verdict?: Verdict
  /** attempts in a row that said nothing about the rules */
  readonly failures: number
}

/** How long what was served before an owner's first set may wait for it. */
const patienceMs = 10_000

const retry: Backoff = { firstMs: 2000, maxMs: 60_000, jitter: [1, 0.8] }

export class RuleSets {
  readonly #options: RuleSetsOptions
  readonly #tracker: Tracker<RuleSet, Known, Verdict>
  readonly #batches: Batches<RuleSet, Verdict>
  readonly #patience: Patience
  /** those that no verdict has come for yet */
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>()
  #wanted: readonly WantedRuleSet[] = []
  /** what the controller before had in force stays until it is known what is wanted now */
  #isWanted = false
  readonly #inForce: Map<string, string>
  #states: ReadonlyMap<string, RuleSetState> = new Map()
  #remembered: RememberedRuleSets | undefined

  constructor(options: RuleSetsOptions) {
    this.#options = options
    const { checker, changed, signal } = options
    const former = Object.entries(checker.state?.inForce ?? {})
    this.#inForce = new Map(former.filter(([, digest]) => checker.accepted.has(digest)))
    this.#patience = new Patience(patienceMs, changed, signal)
    this.#batches = new Batches(
      ({ digest }) => digest,
      (sets) => this.#ask(sets),
    )
    this.#tracker = new Tracker<RuleSet, Known, Verdict>({
      begin: ({ digest }) => this.#begin(digest),
      fetch: (set, known) => this.#check(set, known),
      view: ({ verdict }) => verdict,
      fetched: (digest) => {
        this.#answered(digest)
        this.#patience.of(this.#unserved())
      },
      dropped: (digest) => this.#answered(digest),
      changed,
      signal,
    })
  }

  /** Exactly these are wanted from now on. */
  want(wanted: readonly WantedRuleSet[]): void {
    this.#isWanted = true
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    const sets = new Map(wanted.map(({ set }) => [set.digest, set]))
    for (const digest of sets.keys())
      if (!this.#tracker.has(digest)) this.#waiting.set(digest, Promise.withResolvers())
    this.#tracker.want(sets)
    this.#patience.of(this.#unserved())
    for (const digest of this.#waiting.keys())
      if (this.#tracker.view(digest) !== undefined) this.#answered(digest)
  }

  /** Waits until there is a verdict for each set that is wanted. */
  async learn(maxMs: number): Promise<void> {
    if (this.#waiting.size === 0) return
    const enough = new AbortController()
    const waiting = [...this.#waiting.values()].map(({ promise }) => promise)
    await Promise.race([
      Promise.all(waiting),
      sleep(maxMs, AbortSignal.any([this.#options.signal, enough.signal])),
    ])
    enough.abort()
  }

  /** By owner. The same object while nothing changes, and so is each state in it. */
  states(): ReadonlyMap<string, RuleSetState> {
    const fresh = new Map(
      this.#wanted.map((wanted) => [wanted.owner, this.#keptOr(wanted.owner, this.#stateOf(wanted))]),
    )
    const isSame =
      fresh.size === this.#states.size &&
      [...fresh].every(([owner, state]) => this.#states.get(owner) === state)
    if (!isSame) this.#states = fresh
    if (this.#isWanted) this.#settle()
    return this.#states
  }

  /** Owners with nothing to use as long as their set is being checked. */
  #unserved(): ReadonlySet<string> {
    const unserved = this.#wanted.filter(
      ({ owner, set }) => !this.#inForce.has(owner) && this.#tracker.view(set.digest) === undefined,
    )
    return new Set(unserved.map(({ owner }) => owner))
  }

  /** What there is now. */
  counts(): RuleSetCounts {
    const wanted = new Set(this.#wanted.map(({ set }) => set.digest))
    const kinds = [...wanted].map((digest) => this.#tracker.view(digest)?.kind)
    const of = (kind: Verdict["kind"] | undefined) => kinds.filter((one) => one === kind).length
    return {
      in_force: new Set(this.#inForce.values()).size,
      checking: of(undefined),
      refused: of("refused"),
      absent: of("absent"),
    }
  }

  async #ask(sets: readonly RuleSet[]): Promise<ReadonlyMap<string, Verdict>> {
    const beganMs = performance.now()
    const verdicts = await this.#options.checker.check(sets)
    this.#options.checked?.((performance.now() - beganMs) / 1000)
    return verdicts
  }

  #keptOr(owner: string, state: RuleSetState): RuleSetState {
    const before = this.#states.get(owner)
    return before !== undefined && isDeepStrictEqual(before, state) ? before : state
  }

  #stateOf({ owner, set: { digest } }: WantedRuleSet): RuleSetState {
    const verdict = this.#tracker.view(digest)
    if (verdict?.kind === "accepted") this.#inForce.set(owner, digest)
    if (verdict?.kind === "refused") this.#inForce.delete(owner)
    const usable = this.#inForce.get(owner)
    return {
      wanted: digest,
      ...(usable !== undefined && { usable }),
      ...(verdict !== undefined && verdict.kind !== "accepted" && { trouble: verdict }),
      ...(this.#patience.isOver(owner) && { isOverdue: true as const }),
    }
  }

  /** Files of sets that nobody wants or has in force are of no use. */
  #settle(): void {
    const owners = new Set(this.#wanted.map(({ owner }) => owner))
    for (const owner of this.#inForce.keys()) if (!owners.has(owner)) this.#inForce.delete(owner)
    const { checker } = this.#options
    checker.keepOnly(new Set([...this.#inForce.values(), ...this.#wanted.map(({ set }) => set.digest)]))
    const state = { inForce: Object.fromEntries([...this.#inForce].sort()) }
    if (isDeepStrictEqual(state, this.#remembered)) return
    this.#remembered = state
    void checker.remember(state)
  }

  #begin(digest: string): Step<Known> {
    return this.#options.checker.accepted.has(digest)
      ? { known: { verdict: { kind: "accepted" }, failures: 0 } }
      : { known: { failures: 0 }, dueMs: 0 }
  }

  async #check(set: RuleSet, { failures }: Known): Promise<Step<Known>> {
    const verdict = await this.#batches.add(set)
    if (verdict.kind !== "absent") return { known: { verdict, failures: 0 } }
    const dueMs = backoffMs(retry, failures + 1, (this.#options.random ?? Math.random)())
    return { known: { verdict, failures: failures + 1 }, dueMs }
  }

  #answered(digest: string): void {
    this.#waiting.get(digest)?.resolve()
    this.#waiting.delete(digest)
  }
}

import { isDeepStrictEqual } from "node:util"
import { together } from "../../input/policies/config-map-source.ts"
import { digestOf, emptySource, type PolicySource } from "../../input/policies/module.ts"
import type { AllowedPolicy } from "../../model/allowed-policy.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { PolicyState, ShownPolicy } from "../../model/policy-state.ts"
import type { Problem } from "../../model/problem.ts"
import { type Backoff, backoffMs } from "../../support/backoff.ts"
import { limit } from "../../support/lanes.ts"
import { type Step, Tracker } from "../tracker.ts"
import { FaultWatch, type PolicyFaults } from "./fault-watch.ts"
import { History, noMemory, type PolicyMemory } from "./history.ts"
import { demanded, judge } from "./judge.ts"
import { signatureFault } from "./signature.ts"
import { type Candidate, candidateOf, type Verdict } from "./verdict.ts"

// Modules of balancing policies that the operator gives and allows go in; out comes which version of each may be used, compiled for nginx. Each
// is tried and compiled once, by a program of its own outside of passes. Who uses them, and how nginx loads them, is not known here.

export interface BalancingPoliciesOptions {
  /** what lies below `--policies`; absent: there is no such flag */
  readonly directory?: { readonly read: () => PolicySource }
  readonly compiler: Compiler
  /** another version of a policy may be in force now */
  readonly changed: () => void
  /** a policy that was in force failed too often */
  readonly rolledBack: (back: RolledBack) => void
  readonly signal: AbortSignal
  /** tests give their own */
  readonly random?: () => number
}

/** The program that tries and compiles modules, and the files that it makes. */
interface Compiler {
  /** of those that were compiled before and are still there: digests */
  readonly compiled: ReadonlySet<string>
  /** what the controller before kept; absent: nothing that counts */
  readonly state: RememberedPolicies | undefined
  /** Never rejects. `failed`: it says nothing about the module */
  readonly compile: (digest: string, bytes: Uint8Array) => Promise<Verdict | Failed>
  /** Others are of no use any more. */
  readonly keepOnly: (digests: ReadonlySet<string>) => void
  /** For the next start, and for `wick policies`. */
  readonly remember: (state: RememberedPolicies) => Promise<void>
}

export interface RememberedPolicies {
  readonly memory: PolicyMemory
  readonly shown: readonly ShownPolicy[]
}

export interface Failed {
  readonly kind: "failed"
  readonly reason: string
}

interface RolledBack {
  readonly policy: string
  readonly digest: string
  readonly faults: number
}

/** What the settings say. */
export interface WantedPolicies {
  readonly allowed: readonly AllowedPolicy[]
  /** PEM; null: one that cannot be read, so that nothing is known to be signed by it */
  readonly publicKey: string | null | undefined
  /** the ConfigMap of `policies-configmap` */
  readonly configMap: ConfigMap | undefined
  /** faults in a minute that are still bearable */
  readonly maxFaults: number
}

/** What is known of a candidate. */
interface Known {
  readonly verdict?: Verdict
  /** attempts in a row that brought nothing, and what was wrong with the last one */
  readonly failures: number
  readonly reason?: string
}

/** What others are told of that. */
type Found = Pick<Known, "verdict" | "reason">

/** With 1 s and 2 s between them: a file that is just being replaced is nobody's concern. */
const failuresUntilTrouble = 3

const retry: Backoff = { firstMs: 1000, maxMs: 60_000, jitter: [1, 0.8] }

/** Knows which version of each policy may be used. */
export class BalancingPolicies {
  readonly #options: BalancingPoliciesOptions
  readonly #history: History
  readonly #tracker: Tracker<Candidate, Known, Found>
  readonly #faults = new FaultWatch()
  /** the program takes a core for about a second */
  readonly #compiling = limit(1)
  #wanted: WantedPolicies = { allowed: [], publicKey: undefined, configMap: undefined, maxFaults: 0 }
  #source: PolicySource = emptySource
  #candidates: ReadonlyMap<string, Candidate> = new Map()
  #states: ReadonlyMap<string, PolicyState> = new Map()
  #remembered: RememberedPolicies | undefined

  constructor(options: BalancingPoliciesOptions) {
    this.#options = options
    const { changed, compiler, signal } = options
    this.#history = new History(compiler.state?.memory ?? noMemory, compiler.compiled)
    this.#tracker = new Tracker<Candidate, Known, Found>({
      begin: (candidate) => this.#begin(candidate),
      fetch: (candidate, known) => this.#find(candidate, known),
      view: ({ verdict, failures, reason }) => ({
        ...(verdict && { verdict }),
        ...(reason !== undefined && failures >= failuresUntilTrouble && { reason }),
      }),
      changed,
      signal,
    })
  }

  /** Exactly these are wanted from now on. */
  want(wanted: WantedPolicies): void {
    this.#wanted = wanted
    this.#source = this.#sourceNow()
    const names = new Set(wanted.allowed.map(({ name }) => name))
    this.#candidates = this.#candidatesNow()
    const candidates = [...this.#candidates.values()]
    this.#tracker.want(new Map(candidates.map((candidate) => [candidate.id, candidate])))
    for (const name of names) if (!this.#source.modules.has(name)) this.#history.forget(name)
    this.#settle(names)
  }

  /** By name: those that are allowed. The same object while nothing changes, and so is each state in it. */
  states(): ReadonlyMap<string, PolicyState> {
    return this.#states
  }

  /** About where modules come from. */
  problems(): readonly Problem[] {
    return this.#source.problems
  }

  /** Whether any is in force, so that counting its faults is of use. */
  get areInForce(): boolean {
    return [...this.#states.values()].some(({ usable }) => usable !== undefined)
  }

  /** How often they failed so far. @param atMs of a clock that never goes back */
  count(counters: readonly PolicyFaults[], atMs: number): void {
    const inForce = new Map(
      [...this.#states].flatMap(([name, { usable }]) => (usable ? [[usable.digest, name] as const] : [])),
    )
    for (const [digest, faults] of this.#faults.note(counters, atMs, this.#wanted.maxFaults)) {
      const policy = inForce.get(digest)
      if (policy === undefined || this.#history.faultsOf(digest) !== undefined) continue
      this.#history.noteFaulty(digest, faults)
      this.#options.rolledBack({ policy, digest, faults })
      // Written first: a controller that dies on the way would go forward to it again.
      void this.#remember().then(this.#options.changed)
    }
  }

  /** By name: those of which there is a module that may be used. */
  #candidatesNow(): ReadonlyMap<string, Candidate> {
    const { allowed, publicKey } = this.#wanted
    if (publicKey === null) return new Map()
    const modules = allowed.flatMap((policy) => demanded(this.#source.modules.get(policy.name), policy) ?? [])
    return new Map(modules.map((module) => [module.name, candidateOf(module, publicKey)]))
  }

  #sourceNow(): PolicySource {
    const { configMap } = this.#wanted
    const directory = this.#options.directory?.read() ?? emptySource
    return configMap === undefined ? directory : together(directory, configMap)
  }

  #settle(names: ReadonlySet<string>): void {
    const { compiler } = this.#options
    const ids = new Set([...this.#candidates.values()].map(({ id }) => id))
    const fresh = new Map(this.#wanted.allowed.map((allowed) => [allowed.name, this.#stateOf(allowed)]))
    const kept = new Map([...fresh].map(([name, state]) => [name, sameOr(this.#states.get(name), state)]))
    const isSame =
      kept.size === this.#states.size && [...kept].every(([name, state]) => this.#states.get(name) === state)
    if (!isSame) this.#states = kept
    this.#history.keepOnly(ids, names)
    compiler.keepOnly(this.#history.digests(ids))
    void this.#remember()
  }

  #stateOf(allowed: AllowedPolicy): PolicyState {
    const { name } = allowed
    const candidate = this.#candidates.get(name)
    const { state, inForce } = judge({
      allowed,
      publicKey: this.#wanted.publicKey,
      module: this.#source.modules.get(name),
      candidate: candidate?.id,
      known: candidate && this.#tracker.view(candidate.id),
      good: this.#history.goodOf(name),
      verdictOf: (id) => this.#history.verdicts.get(id),
      faultsOf: (digest) => this.#history.faultsOf(digest),
    })
    if (inForce !== undefined && inForce === candidate?.id) this.#history.noteGood(name, inForce)
    return state
  }

  async #remember(): Promise<void> {
    const shown = [...this.#states].map(([name, state]): ShownPolicy => {
      const digest = this.#source.modules.get(name)?.digest
      return { name, ...(digest && { digest }), ...state }
    })
    const state = { memory: this.#history.memory(), shown }
    if (isDeepStrictEqual(this.#remembered, state)) return
    this.#remembered = state
    await this.#options.compiler.remember(state)
  }

  #begin({ id }: Candidate): Step<Known> {
    const verdict = this.#history.verdicts.get(id)
    return verdict === undefined ? { known: { failures: 0 }, dueMs: 0 } : { known: { verdict, failures: 0 } }
  }

  async #find(candidate: Candidate, { failures }: Known): Promise<Step<Known>> {
    const verdict = await this.#compiling(() => this.#look(candidate))
    if (verdict.kind !== "failed") {
      this.#history.verdicts.set(candidate.id, verdict)
      return { known: { verdict, failures: 0 } }
    }
    const dueMs = backoffMs(retry, failures + 1, (this.#options.random ?? Math.random)())
    return { known: { failures: failures + 1, reason: verdict.reason }, dueMs }
  }

  async #look({ module, publicKey }: Candidate): Promise<Verdict | Failed> {
    const bytes = await module.read()
    if (bytes === undefined || digestOf(bytes) !== module.digest)
      return { kind: "failed", reason: "it cannot be read, or is being replaced" }
    const fault = publicKey && signatureFault(bytes, module.signature, publicKey)
    return fault ? { kind: "refused", reason: fault } : this.#options.compiler.compile(module.digest, bytes)
  }
}

function sameOr<T>(before: T | undefined, after: T): T {
  return isDeepStrictEqual(before, after) && before !== undefined ? before : after
}

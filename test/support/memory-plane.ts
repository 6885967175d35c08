// A data plane that keeps everything in memory: what is posted is a value, and what would be a mistake on any other one is an error here.

import assert from "node:assert"
import { isDeepStrictEqual } from "node:util"
import { applyChange, type LiveChange } from "../../controller/core/plan/change.ts"
import { kindsInOrder } from "../../controller/core/plan/kinds.ts"
import { noCapabilities } from "../../controller/model/capabilities.ts"
import type { Location } from "../../controller/model/location.ts"
import { emptyLive, type Fixed, type Live, type Model } from "../../controller/model/model.ts"
import type { Problem } from "../../controller/model/problem.ts"
import { namedLocations } from "../../controller/model/route.ts"
import { type StreamPort, streamName } from "../../controller/model/stream-listener.ts"
import type { DataPlane } from "../../controller/output/plane/plane.ts"
import type { PolicyCompiler } from "../../controller/output/plane/policy-compiler.ts"
import type { Readings } from "../../controller/output/plane/readings.ts"
import type { RuleSetChecker } from "../../controller/output/plane/rule-set-checker.ts"
import { contentName } from "../../controller/support/content-name.ts"
import { Failure } from "../../controller/support/failure.ts"
import { compareText } from "../../controller/support/order.ts"
import { ownLocations } from "../../controller/sync/own-routes.ts"

/** What one generation has taken in. */
interface TakenIn {
  /** what was prepared or loaded */
  readonly fixed: Fixed
  readonly isServing: boolean
}

export class MemoryPlane implements DataPlane {
  /** what was done to it, in order: `prepare`, `load` with the number of locations, `post` with the hosts that are wanted */
  diary: string[] = []
  /** configurations that it does not take */
  refuses: (fixed: Fixed) => boolean = () => false
  /** names of streams whose ports somebody else has */
  inUse: ReadonlySet<string> = new Set()
  /** comes back from every post */
  problem: Problem | undefined
  #generations = 0
  #takenIn: TakenIn | undefined
  #live: Live = emptyLive
  #isInStep = false
  #hasServed = false

  /** what was put there, by edition */
  readonly databases = new Map<string, string>()

  get generation(): number | undefined {
    return this.#takenIn && this.#generations
  }
  get running(): Model | undefined {
    return this.#takenIn?.isServing ? { fixed: this.#takenIn.fixed, live: this.#live } : undefined
  }
  get live(): Live {
    return this.#live
  }
  get hash(): string | undefined {
    return this.running && hashOf(this.running.fixed)
  }
  get isServing(): boolean {
    return this.#takenIn?.isServing ?? false
  }
  get isInStep(): boolean {
    return this.#isInStep
  }
  get isOutdated(): boolean {
    return false
  }
  get hasServed(): boolean {
    return this.#hasServed
  }

  async adopt(): Promise<boolean> {
    return this.#takenIn !== undefined
  }

  async check(fixed: Fixed): Promise<void> {
    if (this.refuses(fixed)) throw new Failure("conf-refused", "it is bad")
  }

  async portsInUse(ports: readonly StreamPort[]): Promise<ReadonlyMap<string, string>> {
    const taken = ports.map(streamName).filter((name) => this.inUse.has(name))
    return new Map(taken.map((name) => [name, "another program listens there"]))
  }

  async prepare(fixed: Fixed): Promise<void> {
    await this.check(fixed)
    this.diary.push("prepare")
    if (this.#takenIn === undefined) this.#generations += 1
    this.#takenIn = { fixed, isServing: false }
  }

  async load(fixed: Fixed): Promise<string | undefined> {
    await this.check(fixed)
    this.diary.push(`load ${fixed.locations.length}`)
    if (this.#takenIn === undefined) throw new Failure("nginx-ended", "Cannot load: nothing runs")
    const before = this.hash
    const named = namedLocations(this.#live.hosts)
    const kept = this.#takenIn.fixed.locations.filter(({ name }) => named.has(name))
    this.#takenIn = { fixed: { ...fixed, locations: union(fixed.locations, kept) }, isServing: true }
    this.#hasServed = true
    return this.hash === before ? undefined : this.hash
  }

  async post(wanted: Live, change: LiveChange): Promise<readonly Problem[]> {
    if (this.#takenIn === undefined) throw new Failure("nginx-ended", "Cannot post: nothing runs")
    this.diary.push(`post ${wanted.hosts.map(({ host }) => host).join(" ")}`)
    if (this.#isInStep) assertLeadsTo(applyChange(this.#live, change), wanted)
    assertKnown(wanted, this.#takenIn.fixed)
    this.#live = wanted
    this.#isInStep = true
    return this.problem ? [this.problem] : []
  }

  async removeDue(): Promise<undefined> {}

  async keepSeriesOf(): Promise<void> {}

  async putDatabase(edition: string, from: string): Promise<void> {
    this.databases.set(edition, from)
  }

  async keepDatabases(editions: readonly string[]): Promise<void> {
    for (const edition of this.databases.keys())
      if (!editions.includes(edition)) this.databases.delete(edition)
  }

  async openPolicies<State>(): Promise<PolicyCompiler<State>> {
    return {
      compiled: new Set(),
      state: undefined,
      compile: async (digest) => ({ kind: "compiled", digest, needs: 0 }),
      keepOnly() {},
      async remember() {},
    }
  }

  async openRuleSets<State>(): Promise<RuleSetChecker<State>> {
    return {
      accepted: new Set(),
      state: undefined,
      check: async (sets) => new Map(sets.map(({ digest }) => [digest, { kind: "accepted" }])),
      keepOnly() {},
      async remember() {},
    }
  }

  async drain(): Promise<void> {
    this.diary.push("drain")
  }

  async stop(): Promise<void> {
    this.diary.push("stop")
    this.die()
  }

  /** It ends without being asked to. */
  die(): void {
    this.#takenIn = undefined
    this.#live = emptyLive
    this.#isInStep = false
  }

  /** It is not known any more what of the live half is in force. */
  loseStep(): void {
    this.#isInStep = false
  }

  /** Another model is in force than was brought. */
  runWith(fixed: Fixed, live: Live = this.#live): void {
    this.#takenIn = { fixed, isServing: true }
    this.#live = live
  }

  /** Nothing is known, unless a test says what. */
  read: Readings = {
    lastFixed: async () => undefined,
    file: async () => undefined,
    defaultCertificate: () => Promise.reject(new Failure("not-there", "There is no default certificate")),
    versions: { nginx: "", filter: "" },
    capabilities: noCapabilities,
    connections: async () => undefined,
    resourceUse: async () => undefined,
    zones: async () => [],
    zoneShortages: async () => undefined,
    namespaceUse: () => [],
    filterCounters: async () => undefined,
    policyCounters: async () => [],
    streamCounters: async () => [],
    policies: async () => [],
    async *requestCounts() {},
    endpoints: async () => ({ counts: undefined, state: undefined }),
    async *endpointStates() {},
    spans: { look: async () => undefined, page: async () => undefined, async take() {} },
  }
}

function hashOf(fixed: Fixed): string {
  return contentName(JSON.stringify(fixed))
}

function union(some: readonly Location[], others: readonly Location[]): readonly Location[] {
  const byName = new Map([...others, ...some].map((location) => [location.name, location]))
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name))
}

function assertLeadsTo(reached: Live, wanted: Live): void {
  const wrong = kindsInOrder.filter((kind) => !isDeepStrictEqual(reached[kind], wanted[kind]))
  assert.deepEqual(wrong, [], "The change does not lead to what is wanted")
}

/** A request for a route whose location is not there would fail. */
function assertKnown({ hosts }: Live, { locations }: Fixed): void {
  const known = new Set([...ownLocations, ...locations.map(({ name }) => name)])
  assert.deepEqual(
    [...namedLocations(hosts)].filter((name) => !known.has(name)),
    [],
    "Routes name locations that are not loaded",
  )
}

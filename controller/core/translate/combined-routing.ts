import { byHost } from "../../model/host-name.ts"
import type { Problem } from "../../model/problem.ts"
import { compact } from "../../support/compact.ts"
import { distinctBy } from "../../support/distinct.ts"
import { type Change, changesBetween } from "../../support/incremental/changes.ts"
import { SortedList } from "../../support/incremental/sorted-list.ts"
import { setOrDelete } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import type { Declarations } from "../declared/declarations.ts"
import type { DeclaredHost } from "../declared/host.ts"
import type { DeclaredPassthrough } from "../declared/passthrough.ts"
import { hostTaken, ruleProblem } from "../declared/problems.ts"
import { nobody } from "../declared/rule.ts"
import { type DeclaredTls, tlsPlace, tlsPlaceOf } from "../declared/tls.ts"

// A host of a listener has the rules of one front end: of the first that declares it. What is said of TLS for a name counts from those alone that have
// a host of that name.

/** What front ends say of hosts. */
type Routing = Pick<Declarations, "hosts" | "tls" | "passthroughs">

export interface CombinedHosts extends Routing {
  /** of those whose host another has */
  readonly problems: readonly Problem[]
}

/** What is said of one host of a listener. */
interface Saying {
  readonly host?: DeclaredHost | undefined
  readonly tls?: DeclaredTls | undefined
  readonly passthrough?: DeclaredPassthrough | undefined
}

interface Decided {
  readonly counts: Saying
  readonly problems: readonly Problem[]
}

const nothing: Saying = {}
const noProblems: readonly Problem[] = []
const undecided: Decided = { counts: nothing, problems: noProblems }

type Named = Parameters<typeof tlsPlace>[0]

const byPlace = (a: Named, b: Named) => compareText(tlsPlace(a), tlsPlace(b))

/** Kept from pass to pass: a host is decided again when a front end says something else of it. */
export class CombinedRouting {
  /** by `tlsPlaceOf` the host, of each front end in their order */
  readonly #said = new Map<string, readonly (Saying | undefined)[]>()
  readonly #decided = new Map<string, Decided>()
  readonly #contested = new Set<string>()
  readonly #hosts = new SortedList<DeclaredHost>(byHost)
  readonly #tls = new SortedList<DeclaredTls>(byPlace)
  readonly #passthroughs = new SortedList<DeclaredPassthrough>(byPlace)
  #last: readonly Routing[] = []

  /** @param all the first wins; they have the same places in each pass */
  of(all: readonly Routing[]): CombinedHosts {
    const touched = new Set(all.flatMap((said, at) => [...this.#follow(at, this.#last[at], said)]))
    this.#last = all
    for (const place of touched) this.#decide(place)
    return {
      hosts: this.#hosts.items(),
      tls: this.#tls.items(),
      passthroughs: this.#passthroughs.items(),
      problems: this.#problems(),
    }
  }

  /** @returns the places of which one front end says something else */
  #follow(at: number, before: Routing | undefined, after: Routing): ReadonlySet<string> {
    const touched = new Set<string>()
    const say = (place: string, change: Saying) => {
      touched.add(place)
      this.#said.set(place, withChange(this.#said.get(place) ?? [], at, change))
    }
    for (const host of edits(before?.hosts, after.hosts, byHost))
      say(tlsPlaceOf(host.of), { host: host.said })
    for (const tls of edits(before?.tls, after.tls, byPlace)) say(tlsPlace(tls.of), { tls: tls.said })
    for (const { of, said } of edits(before?.passthroughs, after.passthroughs, byPlace))
      say(tlsPlace(of), { passthrough: said })
    return touched
  }

  #decide(place: string): void {
    const { counts: before } = this.#decided.get(place) ?? undecided
    const after = decided(this.#said.get(place) ?? [])
    replace(this.#hosts, before.host, after.counts.host)
    replace(this.#tls, before.tls, after.counts.tls)
    replace(this.#passthroughs, before.passthrough, after.counts.passthrough)
    const isSaid = Object.values(after.counts).some((it) => it !== undefined)
    setOrDelete(this.#decided, place, isSaid ? after : undefined)
    if (!isSaid) this.#said.delete(place)
    if (after.problems.length > 0) this.#contested.add(place)
    else this.#contested.delete(place)
  }

  #problems(): readonly Problem[] {
    if (this.#contested.size === 0) return noProblems
    return [...this.#contested].sort(compareText).flatMap((place) => this.#decided.get(place)?.problems ?? [])
  }
}

interface Edit<T> {
  readonly of: T
  /** absent: no more */
  readonly said: T | undefined
}

/** First what is said no more. */
function edits<T>(
  before: readonly T[] = [],
  after: readonly T[],
  order: (a: T, b: T) => number,
): readonly Edit<T>[] {
  const changes = changesBetween(before, after, order)
  const those = (side: keyof Change<T>) => changes.flatMap((change) => change[side] ?? [])
  return [
    ...those("before").map((of) => ({ of, said: undefined })),
    ...those("after").map((of) => ({ of, said: of })),
  ]
}

function replace<T>(list: SortedList<T>, before: T | undefined, after: T | undefined): void {
  if (before === after) return
  if (before !== undefined) list.remove(before)
  if (after !== undefined) list.add(after)
}

/** As long as it has to be: there is one for each of thousands of hosts. */
function withChange(
  said: readonly (Saying | undefined)[],
  at: number,
  change: Saying,
): readonly (Saying | undefined)[] {
  const length = Math.max(said.length, at + 1)
  return Array.from({ length }, (_, nth) => (nth === at ? { ...said[at], ...change } : said[nth]))
}

/** @param all by front end */
function decided(all: readonly (Saying | undefined)[]): Decided {
  let owner: Saying | undefined
  const problems: Problem[] = []
  for (const said of all) {
    if (said?.host === undefined) continue
    if (owner?.host === undefined) owner = said
    else if (isImplicit(owner.host)) owner = isBare(said.host) ? { ...said, host: owner.host } : said
    else problems.push(...leftOut(said.host, owner.host))
  }
  if (owner !== undefined) return { counts: owner, problems: compact(problems) }
  const tls = all.find((said) => said?.tls !== undefined)?.tls
  const passthrough = all.find((said) => said?.passthrough !== undefined)?.passthrough
  return { counts: { tls, passthrough }, problems: noProblems }
}

/** No object declares it: it is there because `_` always is. */
function isImplicit({ rules }: DeclaredHost): boolean {
  return rules.every(({ source }) => source === nobody)
}

/** A listener's that has no routes for it: what asks nothing of clients leaves the default backend in its place. */
function isBare({ rules, clients }: DeclaredHost): boolean {
  return rules.length === 0 && clients === undefined
}

/** One for each object with rules for the host. */
function leftOut({ host, rules }: DeclaredHost, winner: DeclaredHost): readonly Problem[] {
  const other = winner.rules.find(({ source }) => source !== nobody)?.source
  if (other === undefined) return []
  const declared = rules.filter(({ source }) => source !== nobody)
  return distinctBy(declared, ({ source }) => JSON.stringify(source)).map((rule) => {
    return ruleProblem(rule, rule.field, "path-taken", hostTaken(host, other))
  })
}

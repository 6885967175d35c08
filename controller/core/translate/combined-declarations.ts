import { byHost } from "../../model/host-name.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { distinctBy } from "../../support/distinct.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import { type Declarations, noDeclarations } from "../declared/declarations.ts"
import type { DeclaredHost } from "../declared/host.ts"
import { hostText, ruleProblem } from "../declared/problems.ts"
import { nobody } from "../declared/rule.ts"
import { tlsPlace, tlsPlaceOf } from "../declared/tls.ts"
import { uncontested } from "./contested-streams.ts"

// A host of a listener has the rules of one front end: of the first that declares it. What is said of TLS for a name counts from those alone that have
// a host of that name.

/** What several front ends declare, put together. */
export class CombinedDeclarations {
  readonly #last = new LastResult<Declarations>()
  readonly #httpsPort: number

  /** @param httpsPort of Ingresses */
  constructor(httpsPort: number) {
    this.#httpsPort = httpsPort
  }

  /** @param all the first wins. @returns the same object as long as they are the same */
  of(all: readonly Declarations[]): Declarations {
    const saying = all.filter((declared) => declared !== noDeclarations)
    const [only] = saying
    return only !== undefined && saying.length === 1
      ? only
      : this.#last.of(saying, () => combined(saying, this.#httpsPort))
  }
}

/** A host, and whose it is. */
interface Owned {
  readonly host: DeclaredHost
  readonly by: Declarations
}

interface Named {
  readonly on?: string
  readonly host: string
}

function combined(all: readonly Declarations[], httpsPort: number): Declarations {
  const problems = all.flatMap((declared) => declared.problems)
  return {
    ...routingOf(all, problems),
    otherRules: joined(all.map(({ otherRules }) => otherRules)),
    backends: backendsOf(all),
    listeners: joined(all.map(({ listeners }) => listeners)),
    streams: joined(
      all.map(({ streams }, at) => uncontested(streams, all.slice(0, at), httpsPort, problems)),
    ),
    ...statusesOf(all),
    problems,
    usesSecret: (name) => all.some((declared) => declared.usesSecret(name)),
    sources: function* () {
      for (const { sources } of all) yield* sources()
    },
  }
}

/** Who is asked about requests, and who gets copies, is one backend whoever names it. */
function backendsOf(all: readonly Declarations[]): readonly DeclaredBackend[] {
  const backends = distinctBy(joined(all.map(({ backends }) => backends)), ({ name }) => name)
  return backends.toSorted((a, b) => compareText(a.name, b.name))
}

function statusesOf(all: readonly Declarations[]): Pick<Declarations, "statuses"> {
  const statuses = joined(all.map(({ statuses = [] }) => statuses))
  return statuses.length === 0 ? {} : { statuses }
}

/** What is said of hosts. Where one front end has all of them, its lists stay the same objects. */
function routingOf(
  all: readonly Declarations[],
  problems: Problem[],
): Pick<Declarations, "hosts" | "tls" | "passthroughs"> {
  const routing = all.filter(({ hosts, tls, passthroughs }) =>
    [hosts, tls, passthroughs].some((list) => list.length > 0),
  )
  const [only] = routing
  if (only !== undefined && routing.length === 1)
    return { hosts: only.hosts, tls: only.tls, passthroughs: only.passthroughs }
  const owned = ownedHosts(routing, problems)
  const owners = new Map(owned.toReversed().map(({ host, by }) => [tlsPlaceOf(host), by]))
  const ofOwners = <T extends Named>(listOf: (declared: Declarations) => readonly T[]) => {
    const heard = routing.flatMap((by) => listOf(by).filter((it) => (owners.get(tlsPlace(it)) ?? by) === by))
    return distinctBy(heard, tlsPlace).toSorted((a, b) => compareText(tlsPlace(a), tlsPlace(b)))
  }
  return {
    hosts: owned.map(({ host }) => host).sort(byHost),
    tls: ofOwners(({ tls }) => tls),
    passthroughs: ofOwners(({ passthroughs }) => passthroughs),
  }
}

/** The one list with something in it is the result itself. */
function joined<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const filled = lists.filter((list) => list.length > 0)
  const [only] = filled
  return only !== undefined && filled.length === 1 ? only : filled.flat()
}

function ownedHosts(all: readonly Declarations[], problems: Problem[]): readonly Owned[] {
  const owned = new Map<string, Owned>()
  for (const by of all) {
    for (const host of by.hosts) {
      const key = `${host.server} ${host.host}`
      const winner = owned.get(key)?.host
      if (winner === undefined || isImplicit(winner)) owned.set(key, { host, by })
      else problems.push(...leftOut(host, winner))
    }
  }
  return [...owned.values()]
}

/** No object declares it: it is there because `_` always is. */
function isImplicit({ rules }: DeclaredHost): boolean {
  return rules.every(({ source }) => source === nobody)
}

/** One for each object with rules for the host. */
function leftOut({ host, rules }: DeclaredHost, winner: DeclaredHost): readonly Problem[] {
  const other = winner.rules.find(({ source }) => source !== nobody)?.source
  if (other === undefined) return []
  const declared = rules.filter(({ source }) => source !== nobody)
  return distinctBy(declared, ({ source }) => JSON.stringify(source)).map((rule) => {
    const message = `Cannot serve ${hostText(host)}: ${other.kind} "${qualifiedName(other)}" has it already, and all rules of a host are of one kind; use another host, or remove that one`
    return ruleProblem(rule, rule.field, "path-taken", message)
  })
}

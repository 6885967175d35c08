import type { ObjectStatus } from "../../model/object-status.ts"
import type { Problem } from "../../model/problem.ts"
import { distinctBy } from "../../support/distinct.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { joined } from "../../support/joined.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import { type Declarations, noDeclarations } from "../declared/declarations.ts"
import { CombinedRouting } from "./combined-routing.ts"
import { uncontested } from "./contested-streams.ts"

/** What several front ends declare, put together. */
export class CombinedDeclarations {
  readonly #last = new LastResult<Declarations>()
  readonly #routing = new CombinedRouting()
  readonly #backends = new LastResult<readonly DeclaredBackend[]>()
  readonly #statuses = new LastResult<readonly ObjectStatus[]>()
  readonly #httpsPort: number

  /** @param httpsPort of Ingresses */
  constructor(httpsPort: number) {
    this.#httpsPort = httpsPort
  }

  /** @param all the first wins; the same front ends in each pass. @returns the same object as long as they are the same */
  of(all: readonly Declarations[]): Declarations {
    const [only, ...others] = all.filter((declared) => declared !== noDeclarations)
    return only !== undefined && others.length === 0 ? only : this.#last.of(all, () => this.#combined(all))
  }

  #combined(all: readonly Declarations[]): Declarations {
    const { hosts, tls, passthroughs, problems } = this.#routing.of(all)
    const taken: Problem[] = []
    const streams = all.map((by, at) => uncontested(by.streams, all.slice(0, at), this.#httpsPort, taken))
    const lists = all.map(({ backends }) => backends)
    const statuses = all.map((declared) => declared.statuses ?? noStatuses)
    return {
      ...{ hosts, tls, passthroughs },
      otherRules: joined(all.map(({ otherRules }) => otherRules)),
      backends: this.#backends.of(lists, () => distinctBackends(lists)),
      listeners: joined(all.map(({ listeners }) => listeners)),
      streams: joined(streams),
      statuses: this.#statuses.of(statuses, () => joined(statuses)),
      problems: [...all.flatMap((declared) => declared.problems), ...problems, ...taken],
      usesSecret: (name) => all.some((declared) => declared.usesSecret(name)),
      sources: function* () {
        for (const { sources } of all) yield* sources()
      },
    }
  }
}

const noStatuses: readonly ObjectStatus[] = []

/** Backends of authentication services and mirrors, each once however many front ends name it. */
function distinctBackends(lists: readonly (readonly DeclaredBackend[])[]): readonly DeclaredBackend[] {
  const all = joined(lists)
  if (lists.includes(all)) return all
  return distinctBy(all, ({ name }) => name).toSorted((a, b) => compareText(a.name, b.name))
}

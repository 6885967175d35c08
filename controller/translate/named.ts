import type { Backend, CookieAffinity } from "../model/backend.ts"
import { type Choice, nothingSaid } from "./balancing.ts"
import type { Canaries } from "./canaries.ts"
import type { BackendRef, RouteClaim } from "./claim.ts"
import type { Owners, Session, Sessions } from "./deciders.ts"
import { rememberedLast } from "./memo.ts"
import { byteOrder } from "./order.ts"

/** The backend that answers where no Ingress has a say. */
export const defaultBackendName = "upstream-default-backend"

/** A Service port that is used, and what Ingresses say about it. */
export interface NamedBackend {
  readonly ref: BackendRef
  readonly name: string
  readonly choice: Choice
  /** what goes into the model as it stands here */
  readonly fields: Omit<Backend, "name" | "loadBalance" | "endpoints">
}

/** What was decided about all backends. */
export interface Decisions {
  readonly owners: Owners
  readonly sessions: Sessions
  readonly canaries: Canaries
}

/** Gives each Service port that is used its name and its settings, in order of the name. @param used the oldest first */
export function nameBackends(used: readonly RouteClaim[], decisions: Decisions): readonly NamedBackend[] {
  const names = namesOf(used)
  return [...names.values()]
    .map((named) => namedBackend(named, names, decisions))
    .sort((a, b) => byteOrder(a.name, b.name))
}

interface Named {
  readonly ref: BackendRef
  readonly name: string
}

/**
 * By key. The name of ingress-nginx cannot tell `a-b/c` from `a/b-c`: the one first in `used` has it, another one gets its full key, which
 * holds a slash and so is nobody's short name.
 */
function namesOf(used: readonly RouteClaim[]): Map<string, Named> {
  const taken = new Set([defaultBackendName])
  const names = new Map<string, Named>()
  // what stands in for others comes after them, so that it takes nobody's name
  const backends = used.map(({ backend }) => backend)
  const standIns = used.map(({ proxying }) => proxying.standIn)
  for (const ref of [...backends, ...standIns]) {
    if (ref === undefined || names.has(ref.key)) continue
    const name = taken.has(ref.shortName) ? ref.key : ref.shortName
    taken.add(name)
    names.set(ref.key, { ref, name })
  }
  return names
}

const lastNamed = rememberedLast<BackendRef, NamedBackend>()

/** The object of an earlier pass if it says the same, with what was resolved for it. */
function namedBackend(
  { ref, name }: Named,
  names: ReadonlyMap<string, Named>,
  { owners, sessions, canaries }: Decisions,
): NamedBackend {
  const { choice, canary } = owners.get(ref.key)?.balancing ?? nothingSaid
  const session = sessions.get(canaries.sessions.get(ref.key) ?? ref.key)
  const alternatives = (canaries.alternatives.get(ref.key) ?? []).flatMap(
    ({ backend }) => names.get(backend.key)?.name ?? [],
  )
  const places = session === undefined ? [] : [...session.locations].flat(2)
  const inputs = [name, choice, canary, session?.affinity, alternatives.length, ...alternatives, ...places]
  return lastNamed(ref, inputs, () => ({
    ref,
    name,
    choice,
    fields: {
      ...fieldsOf(choice),
      ...(session !== undefined && { affinity: withLocations(session) }),
      ...(alternatives.length > 0 && { alternatives }),
      ...(canary !== undefined && { shaping: canary.shaping }),
    },
  }))
}

function fieldsOf({ loadBalance: _, serviceUpstream: __, ...fields }: Choice): NamedBackend["fields"] {
  return fields
}

function withLocations({ affinity, locations }: Session): CookieAffinity {
  return { mode: affinity.mode, cookie: { ...affinity.cookie, locations: Object.fromEntries(locations) } }
}

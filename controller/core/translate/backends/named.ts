import type { Backend, CookieAffinity } from "../../../model/backend.ts"
import type { rememberedLast } from "../../../support/incremental/last-result.ts"
import { type BackendRef, baseKey } from "../parsed/backend-ref.ts"
import { defaultBalancing, type LoadBalancing } from "../parsed/balancing.ts"
import type { BackendNames } from "./backend-names.ts"
import type { Canaries } from "./canaries.ts"
import type { Owners, Session, Sessions } from "./deciders.ts"

/** A Service port that is used, and what Ingresses say about it. */
export interface NamedBackend {
  readonly ref: BackendRef
  readonly name: string
  readonly loadBalancing: LoadBalancing
  /** what goes into the model as it stands here */
  readonly fields: Omit<Backend, "name" | "loadBalance" | "policy" | "endpoints">
}

/** What was decided about all backends. */
export interface Decisions {
  readonly owners: Owners
  readonly sessions: Sessions
  readonly names: Pick<BackendNames, "get">
  readonly canaries: Canaries
}

/** Remembers with a reference what it was last made of it. */
export type LastNamed = ReturnType<typeof rememberedLast<BackendRef, NamedBackend>>

/** Name and settings of a Service port that is used. The object of an earlier pass if it says the same, with what was resolved for it. */
export function namedBackend(
  ref: BackendRef,
  { owners, sessions, names, canaries }: Decisions,
  lastNamed: LastNamed,
): NamedBackend {
  const name = names.get(ref.key) ?? ref.key
  const { loadBalancing, canary } = owners.get(baseKey(ref.key))?.balancing ?? defaultBalancing
  const mainKey = canaries.sessions.get(ref.key)
  const session = sessions.get(baseKey(mainKey ?? ref.key))
  const sessionsOf = mainKey === undefined ? undefined : names.get(mainKey)
  const alternatives = (canaries.alternatives.get(ref.key) ?? []).flatMap(
    ({ backend }) => names.get(backend.key) ?? [],
  )
  const inputs = [
    name,
    loadBalancing,
    canary,
    session?.affinity,
    session?.cookiePath?.path,
    sessionsOf,
    ...alternatives,
  ]
  return lastNamed(ref, inputs, () => ({
    ref,
    name,
    loadBalancing,
    fields: {
      ...fieldsOf(loadBalancing),
      ...(session !== undefined && { affinity: affinityOf(session, sessionsOf) }),
      ...(alternatives.length > 0 && { alternatives }),
      ...(canary !== undefined && { shaping: canary.shaping }),
    },
  }))
}

/** The others depend on the ConfigMap, too. */
function fieldsOf({ hashBy, slowStartMs, outlierEjection }: LoadBalancing): NamedBackend["fields"] {
  return {
    ...(hashBy !== undefined && { hashBy }),
    ...(slowStartMs !== undefined && { slowStartMs }),
    ...(outlierEjection !== undefined && { outlierEjection }),
  }
}

function affinityOf(
  { affinity: { mode, cookie }, cookiePath }: Session,
  sessionsOf: string | undefined,
): CookieAffinity {
  const path = cookiePath && { path: cookiePath.path }
  return { mode, cookie: { ...cookie, ...path, ...(sessionsOf !== undefined && { sessionsOf }) } }
}

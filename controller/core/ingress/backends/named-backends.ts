import type { CookieAffinity } from "../../../model/backend.ts"
import type { rememberedLast } from "../../../support/incremental/last-result.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import { type BackendRef, baseKey } from "../../declared/backend-ref.ts"
import type { LoadBalancing } from "../../declared/load-balancing.ts"
import { type Balancing, defaultBalancing } from "../parsed/balancing.ts"
import type { BackendNames } from "./backend-names.ts"
import type { Canaries } from "./canaries.ts"
import type { Owners, Session, Sessions } from "./deciders.ts"

/** What was decided about all backends. */
export interface Decisions {
  readonly owners: Owners
  readonly sessions: Sessions
  readonly names: Pick<BackendNames, "get">
  readonly canaries: Canaries
}

/** Remembers with a reference what it was last made of it. */
export type LastDeclared = ReturnType<typeof rememberedLast<BackendRef, DeclaredBackend>>

/** Name and settings of a Service port that is used. The object of an earlier pass if it says the same, with what was resolved for it. */
export function declaredBackend(
  ref: BackendRef,
  { owners, sessions, names, canaries }: Decisions,
  lastDeclared: LastDeclared,
): DeclaredBackend {
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
  const ofSession = session && affinityOf(session, sessionsOf)
  return lastDeclared(ref, inputs, () => {
    return { ref, name, loadBalancing, fields: fieldsOf(loadBalancing, ofSession, alternatives, canary) }
  })
}

/** What most backends have. */
const noFields: DeclaredBackend["fields"] = {}

/** The others depend on the ConfigMap, too. */
function fieldsOf(
  { hashBy, slowStartMs, outlierEjection }: LoadBalancing,
  affinity: CookieAffinity | undefined,
  alternatives: readonly string[],
  canary: Balancing["canary"],
): DeclaredBackend["fields"] {
  const fields: DeclaredBackend["fields"] = {
    ...(hashBy !== undefined && { hashBy }),
    ...(slowStartMs !== undefined && { slowStartMs }),
    ...(outlierEjection !== undefined && { outlierEjection }),
    ...(affinity !== undefined && { affinity }),
    ...(alternatives.length > 0 && { alternatives }),
    ...(canary !== undefined && { shaping: canary.shaping }),
  }
  return Object.keys(fields).length === 0 ? noFields : fields
}

function affinityOf(
  { affinity: { mode, cookie }, cookiePath }: Session,
  sessionsOf: string | undefined,
): CookieAffinity {
  const path = cookiePath && { path: cookiePath.path }
  return { mode, cookie: { ...cookie, ...path, ...(sessionsOf !== undefined && { sessionsOf }) } }
}

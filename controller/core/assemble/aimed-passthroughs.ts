import type { Backend } from "../../model/backend.ts"
import type { Passthrough } from "../../model/certificate.ts"
import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { Declarations } from "../declared/declarations.ts"
import { type DeclaredPassthrough, passthroughProblem } from "../declared/passthrough.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"

export interface Passthroughs {
  /** by host */
  readonly all: readonly Passthrough[]
  readonly problems: readonly Problem[]
}

/**
 * Which backends connections go to that are passed through.
 *
 * @param resolved what `declared.backends` are in this snapshot, in the same order
 */
export function passthroughsOf(
  { passthroughs, backends }: Pick<Declarations, "passthroughs" | "backends">,
  resolved: readonly ResolvedBackend[],
  { services }: Pick<Snapshot, "services">,
): Passthroughs {
  if (passthroughs.length === 0) return { all: [], problems: [] }
  const wanted = new Set(passthroughs.map(({ backend }) => backend.key))
  const byKey = new Map<string, Backend | undefined>()
  for (const [at, { ref }] of backends.entries())
    if (wanted.has(ref.key)) byKey.set(ref.key, resolved[at]?.backend)
  const problems: Problem[] = []
  const all = passthroughs.flatMap((declared) => {
    const { serviceKey, key } = declared.backend
    const backend = byKey.get(key)
    if (backend === undefined || !services.has(serviceKey)) {
      problems.push(without(declared, `Service ${shown(serviceKey)} does not exist`))
      return []
    }
    if (backend.endpoints.length === 0)
      problems.push(
        without(declared, `Service ${shown(serviceKey)} has no ready endpoint`, "they are closed"),
      )
    return [{ host: declared.host, owner: declared.source.namespace, backend: backend.name }]
  })
  return { all, problems }
}

function without(declared: DeclaredPassthrough, reason: string, instead?: string): Problem {
  return passthroughProblem(declared, "passthrough-without-endpoint", reason, instead)
}

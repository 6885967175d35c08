import type { Passthrough } from "../../../model/certificate.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { Snapshot } from "../../../model/snapshot.ts"
import type { ResolvedBackend } from "../backends/resolved-backends.ts"
import type { MergedIngresses } from "../merge.ts"
import { type MergedPassthrough, passthroughProblem } from "./merged-passthroughs.ts"

export interface Passthroughs {
  /** by host */
  readonly all: readonly Passthrough[]
  readonly problems: readonly Problem[]
}

/**
 * Which backend connections go to that are passed through: that of their host's `/`.
 *
 * @param resolved what `merged.backends` are in this snapshot, in the same order
 */
export function passthroughsOf(
  { passthroughs, backends }: Pick<MergedIngresses, "passthroughs" | "backends">,
  resolved: readonly ResolvedBackend[],
  { services }: Pick<Snapshot, "services">,
): Passthroughs {
  if (passthroughs.all.length === 0) return { all: [], problems: passthroughs.problems }
  const byKey = new Map(backends.map(({ ref }, at) => [ref.key, resolved[at]?.backend]))
  const problems = [...passthroughs.problems]
  const all = passthroughs.all.flatMap((merged) => {
    const backend = byKey.get(merged.backend.key)
    const { serviceKey } = merged.backend
    if (backend === undefined || !services.has(serviceKey)) {
      problems.push(without(merged, `Service ${shown(serviceKey)} does not exist`))
      return []
    }
    if (backend.endpoints.length === 0)
      problems.push(without(merged, `Service ${shown(serviceKey)} has no ready endpoint`, "they are closed"))
    return [{ host: merged.host, owner: merged.by.root.namespace, backend: backend.name }]
  })
  return { all, problems }
}

function without(merged: MergedPassthrough, reason: string, instead?: string): Problem {
  return passthroughProblem(merged, "passthrough-without-endpoint", reason, instead)
}

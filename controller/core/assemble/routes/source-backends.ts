import type { SourceBackends } from "../../../model/observed.ts"
import { baseKey } from "../../declared/backend-ref.ts"
import type { Declarations } from "../../declared/declarations.ts"
import type { ResolvedBackend } from "../backends/resolved-backends.ts"

/** Of every object with a rule that names a Service; one that nobody gets to, as on a path that another object has, is not looked at. */
export function* sourceBackends(
  { sources, backends }: Pick<Declarations, "sources" | "backends">,
  resolved: readonly ResolvedBackend[],
): Generator<SourceBackends> {
  // what is behind a port with canaries is behind the Service port
  const byKey = new Map(resolved.map(({ target }, at) => [baseKey(backends[at]?.ref.key ?? ""), target]))
  for (const { source, backends: named } of sources()) {
    const targets = named.flatMap((key) => byKey.get(key) ?? [])
    if (targets.length === 0) continue
    const lacksService = targets.some(({ fault }) => fault !== undefined)
    const lacksEndpoint = targets.some(({ fault, status }) => fault === undefined && status !== undefined)
    yield { source, lacksService, lacksEndpoint }
  }
}

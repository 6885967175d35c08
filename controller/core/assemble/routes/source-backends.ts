import type { IngressBackends } from "../../../model/observed.ts"
import { baseKey } from "../../declared/backend-ref.ts"
import type { MergedIngresses } from "../../ingress/merge.ts"
import type { ParsedIngress } from "../../ingress/parsed/parsed-ingress.ts"
import type { ResolvedBackend, Target } from "../backends/resolved-backends.ts"

/** Of every Ingress with a rule that names a Service; one that nobody gets to, as on a path that another Ingress has, is not looked at. */
export function* ingressBackends(
  { ingresses, backends }: Pick<MergedIngresses, "ingresses" | "backends">,
  resolved: readonly ResolvedBackend[],
): Generator<IngressBackends> {
  // what is behind a split is behind the Service port
  const byKey = new Map(resolved.map(({ target }, at) => [baseKey(backends[at]?.ref.key ?? ""), target]))
  for (const ingress of ingresses) {
    const targets = targetsOf(ingress, byKey)
    if (targets.length === 0) continue
    const { namespace, ingressName: name } = ingress.root
    const lacksService = targets.some(({ fault }) => fault !== undefined)
    const lacksEndpoint = targets.some(({ fault, status }) => fault === undefined && status !== undefined)
    yield { namespace, name, lacksService, lacksEndpoint }
  }
}

function targetsOf({ rules }: ParsedIngress, byKey: ReadonlyMap<string, Target>): readonly Target[] {
  const routes = rules.flatMap(({ routes }) => routes)
  return routes.flatMap(({ backend }) => (backend && byKey.get(backend.key)) ?? [])
}

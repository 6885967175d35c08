import type { Problem } from "../model/problem.ts"
import type { Service } from "../objects/service.ts"
import type { Snapshot } from "../store/snapshot.ts"
import { defaultBackendName, type ResolvedBackend, resolveBackend } from "./backends.ts"
import { backendRef, type RouteClaim } from "./claims.ts"
import { remembered } from "./memo.ts"
import type { TranslateOptions } from "./options.ts"
import { defaultPolicy } from "./policies.ts"
import { complaint } from "./problems.ts"

/** `/` of `_` as long as no Ingress claims it. */
export const unclaimedRoot: RouteClaim = {
  namespace: "",
  ingressName: "",
  field: "",
  path: "/",
  match: "prefix",
  policy: defaultPolicy,
  overrides: {},
}

/** The same object for the same Service, so that resolving it again costs nothing. */
const firstPortOf = remembered((service: Service, _options: TranslateOptions) => {
  const port = service.ports[0]
  return backendRef(service.meta.namespace, service.meta.name, port === undefined ? "" : String(port.port))
})

/**
 * The default backend: the first port of the Service of `--default-backend-service`, when it has endpoints. `undefined`: there is none, and
 * routes that lead to it answer 404 by themselves.
 */
export function defaultBackend(
  snapshot: Snapshot,
  options: TranslateOptions,
): { readonly resolved?: ResolvedBackend; readonly problems: readonly Problem[] } {
  const named = options.defaultBackendService
  if (named === undefined) return { problems: [] }
  const service = snapshot.services.get(`${named.namespace}/${named.name}`)
  if (service === undefined) return { problems: [noDefaultBackend(named, "it does not exist")] }
  const resolved = resolveBackend(
    { ref: firstPortOf(service, options), name: defaultBackendName },
    snapshot,
    options,
  )
  if (resolved.fault !== undefined) return { problems: [noDefaultBackend(named, "it has no usable port")] }
  const { problems } = resolved
  return resolved.backend.endpoints.length === 0 ? { problems } : { resolved, problems }
}

function noDefaultBackend(service: { namespace: string; name: string }, reason: string): Problem {
  const message = `Cannot use the Service of --default-backend-service: ${reason}; unmatched requests get 404`
  return complaint({ kind: "Service", ...service }, "spec", "default-backend-unusable", message)
}

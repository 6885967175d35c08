import type { Http } from "../model/http.ts"
import type { Model } from "../model/model.ts"
import type { Problem } from "../model/problem.ts"
import type { Settings } from "../options/settings.ts"
import type { Snapshot } from "../store/snapshot.ts"
import { type NamedBackend, type ResolvedBackend, resolveBackend } from "./backends.ts"
import { defaultBackend } from "./default-backend.ts"
import { demandOf } from "./hosts.ts"
import type { TranslateOptions } from "./options.ts"
import { byteOrder } from "./order.ts"
import { faultsOf, hostOf, type Targets } from "./routes.ts"

export { type TranslateOptions, translateOptions } from "./options.ts"

// In come a snapshot of objects and what the operator set; out go the model of what nginx should serve and the Problems of the objects it
// was made from. It knows no clock, no file, no log, and nothing of nginx's configuration text or the posted format.

export interface Translation {
  readonly model: Model
  /** in an order that depends on the objects only */
  readonly problems: readonly Problem[]
}

/**
 * Translates a snapshot. Pure: equal input gives an equal result, whatever order the objects come in. What depends on objects that kept
 * their identity since an earlier call with the same `options` object is not computed again, and keeps its identity in the model.
 */
export function translate(snapshot: Snapshot, settings: Settings, options: TranslateOptions): Translation {
  const demand = demandOf(snapshot.ingresses, options)
  const backends = resolveAll(demand.backends, snapshot, options)
  const fallback = defaultBackend(snapshot, options)
  const targets: Targets = { backends, defaultBackend: fallback.resolved }
  const hosts = demand.hosts.map((host) => hostOf(host, targets))
  const resolved = [...backends.values(), ...(fallback.resolved ? [fallback.resolved] : [])]
  return {
    model: {
      fixed: { http: httpOf(settings, options), policies: demand.policies },
      live: { backends: backendsOf(resolved), hosts },
    },
    problems: [
      ...demand.problems,
      ...faultsOf(demand.hosts, targets),
      ...distinct([...resolved.flatMap((backend) => backend.problems), ...fallback.problems]),
    ],
  }
}

function resolveAll(
  named: readonly NamedBackend[],
  snapshot: Snapshot,
  options: TranslateOptions,
): Map<string, ResolvedBackend> {
  return new Map(named.map((backend) => [backend.ref.key, resolveBackend(backend, snapshot, options)]))
}

function backendsOf(resolved: readonly ResolvedBackend[]) {
  return resolved.map(({ backend }) => backend).sort((a, b) => byteOrder(a.name, b.name))
}

function httpOf(settings: Settings, { listen }: TranslateOptions): Http {
  return {
    workerProcesses: settings.workerProcesses,
    keepAliveSeconds: settings.keepAliveSeconds,
    clientMaxBodyBytes: settings.proxyBodyBytes,
    logFormatUpstream: settings.logFormatUpstream,
    upstreamKeepaliveConnections: settings.upstreamKeepaliveConnections,
    listen,
  }
}

/** Two backends of one Service see the same slices; what is wrong with those is said once. */
function distinct(problems: readonly Problem[]): Problem[] {
  const byText = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  return [...byText.values()]
}

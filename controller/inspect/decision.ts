import type { Checks } from "./access.ts"
import type { BackendInForce } from "./in-force.ts"
import type { Limits } from "./limits.ts"
import type { Outcome } from "./outcome.ts"

/** What is known of the authentication service of a route. */
export interface Service {
  /** its backend has an endpoint */
  readonly isReachable: boolean
  /** what became of the request when it was asked; absent: it was not */
  readonly said?: Outcome
}

/** What a request meets on its way behind its route. */
export interface Way {
  readonly checks?: Checks
  readonly service?: Service
  readonly limits?: Limits
  /** absent: it is not in force */
  readonly backend?: BackendInForce
  readonly backendName: string
  /** what the route answers in the place of a backend; absent: nothing */
  readonly status?: number
}

/** What becomes of a request. */
export interface Decision {
  readonly outcome: Outcome
  /** what decided, where that is not the route itself */
  readonly because?: string
}

/**
 * What becomes of one that nginx would pass on: checks, then the service, then the backend may have another answer. Of one that is answered in
 * the place of a backend: who may refuse it is asked before.
 */
export function decide(outcome: Outcome, way: Way): Decision {
  if (outcome.kind === "proxied") return lost(way) ?? refused(way) ?? unserved(way) ?? { outcome }
  return (standsForBackend(outcome, way) && (lost(way) ?? refused(way))) || { outcome }
}

function standsForBackend(outcome: Outcome, { status }: Way): boolean {
  return outcome.kind === "answered" && outcome.status === status && (status === 404 || status === 503)
}

function lost({ checks, limits }: Way): Decision | undefined {
  const [list] = checks?.missing ?? []
  if (list !== undefined) return answered(503, `${list.kind} list ${list.id} is not in force`)
  return limits?.missing === undefined
    ? undefined
    : answered(503, `address list ${limits.missing} is not in force`)
}

function refused({ checks, service }: Way): Decision | undefined {
  const { client } = checks ?? {}
  if (client?.status !== undefined) return answered(client.status, client.because)
  const isLetIn = client !== undefined && client.needs.length === 0
  if (service === undefined || isLetIn) return undefined
  if (!service.isReachable)
    return answered(500, "its authentication service has no endpoint that could be asked")
  const { said } = service
  return said === undefined || said.kind === "proxied"
    ? undefined
    : { outcome: said, because: "its authentication service says so" }
}

function unserved({ backend, backendName }: Way): Decision | undefined {
  if (backend === undefined) return answered(503, `backend ${backendName} is not in force`)
  const hasAny = backend.endpoints.length > 0 || (backend.alternativeBackends ?? []).length > 0
  return hasAny ? undefined : answered(503, `backend ${backendName} has no endpoint`)
}

function answered(status: number, because: string): Decision {
  return { outcome: { kind: "answered", status }, because }
}

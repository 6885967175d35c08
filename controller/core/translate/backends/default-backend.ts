import type { Service } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import { LastResult } from "../../../support/incremental/last-result.ts"
import type { Context } from "../context.ts"
import { backendRef } from "../parsed/backend-ref.ts"
import { defaultBalancing } from "../parsed/balancing.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"
import { closedAccess, openAccess } from "../parsed/route-access.ts"
import { noFilters } from "../parsed/route-filters.ts"
import { type Proxying, plainProxying } from "../parsed/route-proxying.ts"
import { complaint } from "../problems.ts"
import { defaultBackendName } from "./backend-names.ts"
import type { NamedBackend } from "./named.ts"
import type { Inputs, Resolutions, ResolvedBackend, Target } from "./resolved-backends.ts"

/** `/` of `_` as long as no Ingress declares it: logged if the ConfigMap says so. */
export function implicitRoot({ settings }: Context): ParsedRoute {
  const root = settings.logsDefaultBackend ? loggedRoot : { ...loggedRoot, proxying: unlogged }
  return settings.closedByKeys.includes("all") ? { ...root, access: closedAccess } : root
}

const unlogged: Proxying = { ...plainProxying, variables: { accessLog: "0" } }

const loggedRoot: ParsedRoute = {
  namespace: "",
  ingressName: "",
  field: "",
  ...pathMatch("/", "prefix"),
  proxying: plainProxying,
  filters: noFilters,
  access: openAccess,
  balancing: defaultBalancing,
}

/** Where requests go that no route matches, when there is no default backend. */
export const noDefaultBackend: Target = { name: defaultBackendName, status: 404 }

export interface DefaultBackend {
  /** absent: there is none */
  readonly resolved?: ResolvedBackend
  readonly problems: readonly Problem[]
}

/** Finds the default backend, pass by pass. */
export class DefaultBackends {
  readonly #resolutions: Pick<Resolutions, "of">
  readonly #firstPort = new LastResult<NamedBackend>()

  constructor(resolutions: Pick<Resolutions, "of">) {
    this.#resolutions = resolutions
  }

  /** The first port of the Service of `--default-backend-service`, when that has endpoints. */
  among(inputs: Inputs): DefaultBackend {
    const named = inputs.common.options.defaultBackendService
    if (named === undefined) return { problems: [] }
    const service = inputs.objects.services.get(`${named.namespace}/${named.name}`)
    if (service === undefined) return { problems: [unusable(named, `${unfit}: it does not exist`)] }
    // the same object for the same Service, so that resolving it again costs nothing
    const first = this.#firstPort.of([service], () => firstPortOf(service))
    const resolved = this.#resolutions.of(first, inputs)
    const { target, problems } = resolved
    const fault = target.fault === undefined ? [] : [unusable(named, target.fault)]
    return {
      ...(target.status === undefined && { resolved }),
      problems: [...problems, ...fault],
    }
  }
}

function firstPortOf({ meta: { namespace, name }, ports: [port] }: Service): NamedBackend {
  return {
    ref: backendRef(namespace, name, port === undefined ? "" : String(port.port)),
    name: defaultBackendName,
    loadBalancing: defaultBalancing.loadBalancing,
    fields: {},
  }
}

const unfit = "Cannot use the Service of --default-backend-service"

/** @param fault a sentence */
function unusable(service: { readonly namespace: string; readonly name: string }, fault: string): Problem {
  const message = `${fault}; requests that no rule matches get 404`
  return complaint({ kind: "Service", ...service }, "spec", "default-backend-unusable", message)
}

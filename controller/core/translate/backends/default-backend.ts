import type { Service } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import { rememberedLast } from "../../../support/incremental/last-result.ts"
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
import { type Inputs, type ResolvedBackend, resolveBackend, type Target } from "./resolved-backends.ts"

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

/** The same object for the same Service, so that resolving it again costs nothing. */
const lastFirstPort = rememberedLast<Service, NamedBackend>()

function firstPortOf(service: Service): NamedBackend {
  return lastFirstPort(service, [], () => {
    const port = service.ports[0]
    const { namespace, name } = service.meta
    return {
      ref: backendRef(namespace, name, port === undefined ? "" : String(port.port)),
      name: defaultBackendName,
      loadBalancing: defaultBalancing.loadBalancing,
      fields: {},
    }
  })
}

/** The first port of the Service of `--default-backend-service`, when that has endpoints. */
export function defaultBackend(inputs: Inputs): DefaultBackend {
  const { options } = inputs.common
  const named = options.defaultBackendService
  if (named === undefined) return { problems: [] }
  const service = inputs.objects.services.get(`${named.namespace}/${named.name}`)
  if (service === undefined) return { problems: [unusable(named, `${unfit}: it does not exist`)] }
  const resolved = resolveBackend(firstPortOf(service), inputs)
  const { target, problems } = resolved
  const fault = target.fault === undefined ? [] : [unusable(named, target.fault)]
  return {
    ...(target.status === undefined && { resolved }),
    problems: [...problems, ...fault],
  }
}

const unfit = "Cannot use the Service of --default-backend-service"

/** @param fault a sentence */
function unusable(service: { readonly namespace: string; readonly name: string }, fault: string): Problem {
  const message = `${fault}; requests that no rule matches get 404`
  return complaint({ kind: "Service", ...service }, "spec", "default-backend-unusable", message)
}

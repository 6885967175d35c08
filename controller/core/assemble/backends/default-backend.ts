import type { Service } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import { LastResult } from "../../../support/incremental/last-result.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import { backendRef, defaultBackendName } from "../../declared/backend-ref.ts"
import { usualBalancing } from "../../declared/load-balancing.ts"
import { complaint } from "../../declared/problems.ts"
import type { Inputs, Resolutions, ResolvedBackend, Target } from "./resolved-backends.ts"

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
  readonly #firstPort = new LastResult<DeclaredBackend>()

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

function firstPortOf({ meta: { namespace, name }, ports: [port] }: Service): DeclaredBackend {
  return {
    ref: backendRef(namespace, name, port === undefined ? "" : String(port.port)),
    name: defaultBackendName,
    loadBalancing: usualBalancing,
    fields: {},
  }
}

const unfit = "Cannot use the Service of --default-backend-service"

/** @param fault a sentence */
function unusable(service: { readonly namespace: string; readonly name: string }, fault: string): Problem {
  const message = `${fault}; requests that no rule matches get 404`
  return complaint({ kind: "Service", ...service }, "spec", "default-backend-unusable", message)
}

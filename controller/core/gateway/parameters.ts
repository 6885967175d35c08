import { fieldPath } from "../../model/field-path.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { ObjectRef } from "../../model/objects/gateway/references.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { shown } from "../../model/shown.ts"
import type { Finding } from "./finding.ts"

// What a ConfigMap may say that a GatewayClass or a Gateway names by parametersRef; docs/gateway-api.md has its keys.

export interface Parameters {
  /** `own`: the listeners have ports or addresses of their own; `shared`: those of Ingresses. Absent: not said */
  readonly placement?: Placement
  /** why it cannot be used */
  readonly refused?: Finding
}

type Placement = "own" | "shared"

const none: Parameters = {}
const placements: readonly string[] = ["own", "shared"] satisfies readonly Placement[]

/** @param field where it is named */
export function parametersOf(
  ref: ObjectRef | undefined,
  field: string,
  configMaps: ReadonlyMap<string, ConfigMap>,
): Parameters {
  if (ref === undefined) return none
  const name = shown(qualifiedName(ref))
  const wrong = (state: string): Parameters => {
    const message = `Cannot use ${ref.kind} ${name} as parameters: ${state}`
    return { refused: { reason: "InvalidParameters", code: "gateway-parameters", field, message } }
  }
  if (ref.group !== "" || ref.kind !== "ConfigMap") return wrong("write kind ConfigMap")
  const data = configMaps.get(qualifiedName(ref))?.data
  if (data === undefined) return wrong("it does not exist")
  const unknown = Object.keys(data).find((key) => key !== "placement")
  if (unknown !== undefined) return wrong(`key ${shown(unknown)} is unknown: write placement`)
  const { placement } = data
  if (placement === undefined) return none
  return placements.includes(placement)
    ? { placement: placement as Placement }
    : wrong(`${fieldPath("data", "placement")} has to be own or shared, not ${shown(placement)}`)
}

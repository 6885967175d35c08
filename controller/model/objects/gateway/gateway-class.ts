import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { readGeneration } from "./names.ts"
import { type ObjectRef, readObjectRef } from "./references.ts"

export interface GatewayClass {
  readonly kind: "GatewayClass"
  readonly meta: Meta
  readonly generation: number
  readonly controllerName: string
  /** where further settings are */
  readonly parameters?: ObjectRef
}

export function readGatewayClass(at: Reader, meta: Meta): GatewayClass | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", readSpec)
  return spec && at.accepted({ kind: "GatewayClass", meta, generation, ...spec })
}

function readSpec(at: Reader) {
  const controllerName = at.requiredText("controllerName")
  const parameters = at.optional("parametersRef", (ref) => readObjectRef(ref, "", { group: "", kind: "" }))
  return at.accepted({ controllerName, ...(parameters && { parameters }) })
}

import { type GatewayParameters, readGatewayParameters } from "../../model/gateway-parameters.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { ObjectRef } from "../../model/objects/gateway/references.ts"
import type { Finding } from "./finding.ts"

export interface Parameters extends Pick<GatewayParameters, "placement" | "http3"> {
  /** why it cannot be used */
  readonly refused?: Finding
}

/** What a ConfigMap says that a GatewayClass or a Gateway names by parametersRef. @param field where it is named */
export function parametersOf(
  ref: ObjectRef | undefined,
  field: string,
  configMaps: ReadonlyMap<string, ConfigMap>,
): Parameters {
  const read = readGatewayParameters(ref, configMaps)
  if (read.kind === "read") return read.parameters
  return {
    refused: { reason: "InvalidParameters", code: "gateway-parameters", field, message: read.message },
  }
}

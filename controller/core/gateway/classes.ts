import type { ObjectStatus } from "../../model/object-status.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../model/objects/gateway/gateway-class.ts"
import { supportedFeatures } from "./features.ts"
import { conditionOf, type Finding } from "./finding.ts"

/** The GatewayClasses of ours, by name. */
export function ownClasses(
  all: ReadonlyMap<string, GatewayClass>,
  controllerName: string,
): ReadonlyMap<string, GatewayClass> {
  return new Map([...all].filter(([, it]) => it.controllerName === controllerName))
}

/** Gateways of ours. */
export function ownGateways(
  all: ReadonlyMap<string, Gateway>,
  classes: ReadonlyMap<string, GatewayClass>,
): readonly Gateway[] {
  return [...all.values()].filter(({ className }) => classes.has(className))
}

export function classStatus({ meta, generation }: GatewayClass, finding: Finding | undefined): ObjectStatus {
  return {
    kind: "GatewayClass",
    namespace: "",
    name: meta.name,
    generation,
    status: { conditions: [conditionOf("Accepted", finding)], supportedFeatures },
  }
}

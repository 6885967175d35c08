import type { Conversion, GatewayObject } from "../../cli/convert/conversion.ts"
import { type ConvertOptions, convert } from "../../cli/convert/convert.ts"
import { lintObjectsOf } from "../../cli/lint/objects.ts"
import { ingressClass, type Json } from "../../harness/manifests.ts"
import { changesOf, optionsOf } from "../../harness/translation.ts"

const usual: ConvertOptions = {
  gateway: { namespace: "edge", name: "main", gatewayClass: "other" },
  allowsOpen: false,
  isForWick: false,
  nowMs: Date.UTC(2026, 2, 1),
}

/** What `wick convert` makes of objects, with the class of Ingresses. @param flags of the controller */
export function conversionOf(
  objects: readonly Json[],
  flags: readonly string[] = [],
  how: Partial<ConvertOptions> = {},
): Conversion {
  const options = optionsOf(["--manifests=convert", "--configmap=edge/settings", ...flags])
  const changes = [ingressClass, ...objects].flatMap((object) => changesOf(object, "convert"))
  return convert(lintObjectsOf(changes, options, false), options, { ...usual, ...how })
}

/** The routes of what it makes of them for any implementation. */
export function routesOf(...objects: readonly Json[]): readonly GatewayObject[] {
  return conversionOf(objects).objects.filter(({ kind }) => /Route$/.test(kind))
}

/** The GatewayClass of wick. */
export const gatewayClass: Json = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "GatewayClass",
  metadata: { name: "wick" },
  spec: { controllerName: "wick.dev/gateway" },
}

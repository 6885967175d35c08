import { fieldPath } from "../../../model/field-path.ts"
import type { RouteKind } from "../../../model/objects/gateway/allowed.ts"
import type { GatewayListener } from "../../../model/objects/gateway/gateway-listener.ts"
import { gatewayGroup } from "../../../model/objects/gateway/names.ts"
import { shown } from "../../../model/shown.ts"
import type { Finding } from "../finding.ts"

const byProtocol: Readonly<Record<string, readonly string[]>> = {
  HTTP: ["HTTPRoute", "GRPCRoute"],
  HTTPS: ["HTTPRoute", "GRPCRoute"],
  TLS: ["TLSRoute"],
  TCP: ["TCPRoute"],
  UDP: ["UDPRoute"],
}

/** Which routes a listener takes: of those that its protocol has the ones that it names, or all of them. */
export function kindsOf({ protocol, allowedRoutes: { kinds } }: GatewayListener): readonly RouteKind[] {
  const all = (byProtocol[protocol] ?? []).map((kind) => ({ group: gatewayGroup, kind }))
  if (kinds.length === 0) return all
  return all.filter((it) => kinds.some(({ group, kind }) => group === it.group && kind === it.kind))
}

/** A kind that is named and that its protocol has not. */
export function wrongKind(listener: GatewayListener, field: string): Finding | undefined {
  const possible = byProtocol[listener.protocol] ?? []
  const at = listener.allowedRoutes.kinds.findIndex(
    ({ group, kind }) => group !== gatewayGroup || !possible.includes(kind),
  )
  if (at < 0) return undefined
  const { kind } = listener.allowedRoutes.kinds[at] ?? { kind: "" }
  const message = `Cannot attach routes of kind ${shown(kind)} to a listener of protocol ${listener.protocol}: write ${possible.join(" or ")}`
  return {
    reason: "InvalidRouteKinds",
    code: "listener-refused",
    field: fieldPath(field, "allowedRoutes", "kinds", at),
    message,
  }
}

export function unsupportedProtocol({ protocol }: GatewayListener, field: string): Finding | undefined {
  if (Object.hasOwn(byProtocol, protocol)) return undefined
  const message = `Cannot serve protocol ${shown(protocol)}: write ${Object.keys(byProtocol).join(", ")}`
  return {
    reason: "UnsupportedProtocol",
    code: "listener-refused",
    field: fieldPath(field, "protocol"),
    message,
  }
}

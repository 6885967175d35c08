import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import { type GatewayRoute, nameOf, qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { complaint, hostText, ruleProblem } from "../../declared/problems.ts"
import type { Shadowed } from "./merge-rules.ts"

// What routes are told that get no requests of a host, although their listeners take them.

export function pathTaken(host: string, { rule, by: { source } }: Shadowed): Problem {
  const which = rule.conditions === undefined ? "" : " for the same requests"
  const message = `Cannot serve path ${shown(rule.path)} of ${hostText(host)}: ${source.kind} "${qualifiedName(source)}" has it already${which}; use another path or host, or remove one of the two`
  return ruleProblem(rule, rule.field, "path-taken", message)
}

/** @param owner of the host, on ports that both are on */
export function hostLost(host: string, route: GatewayRoute, owner: Gateway): Problem {
  const message = `Cannot serve ${hostText(host)}: Gateway ${shown(qualifiedName(owner.meta))} is older, and has it on the ports of Ingresses; use another host, or a Gateway with ports of its own`
  return complaint(nameOf(route), "spec.hostnames", "path-taken", message)
}

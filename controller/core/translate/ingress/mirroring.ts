import { isIP } from "node:net"
import type { PolicyFields } from "../../../model/policy.ts"
import type { RouteVariables } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import { judgeAddress } from "../../../support/address.ts"
import type { MirrorValues } from "../../annotations/values.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

/** What a policy and a route say about copies of requests. */
export interface Mirroring {
  readonly policy?: PolicyFields["mirror"]
  readonly variables: RouteVariables
}

const nothing: Mirroring = { variables: {} }

export function mirroring({ target, host, body }: MirrorValues, context: IngressContext): Mirroring {
  if (target === undefined) return nothing
  const fault = faultOf(target.host, context.options.allowLoopbackEndpoints)
  if (fault !== undefined) {
    const message = `Cannot copy requests to ${shown(target.url)}: ${fault}; they are not copied`
    complainAbout(context, "mirror-target", "mirror-refused", message)
    return nothing
  }
  return {
    policy: body === "off" ? "without-body" : "with-body",
    variables: { mirrorTarget: target.url, mirrorHost: host ?? target.host },
  }
}

/** A copy shall not reach what listens on this machine only, as endpoints shall not (address.ts); what a name leads to is up to the resolver. */
function faultOf(host: string, allowLoopback: boolean): string | undefined {
  if (/^localhost\.?$/i.test(host)) return allowLoopback ? undefined : "loopback addresses are not allowed"
  const address = host.replace(/^\[|\]$/g, "")
  const looksLikeAddress = isIP(address) !== 0 || host.startsWith("[") || /^[\d.]+$|^0x/i.test(host)
  if (!looksLikeAddress) return undefined
  const verdict = judgeAddress(address, allowLoopback)
  return verdict.kind === "usable" ? undefined : verdict.reason
}

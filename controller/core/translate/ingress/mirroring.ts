import { isIP } from "node:net"
import type { PolicyFields } from "../../../model/policy.ts"
import type { RouteVariables } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import { type EndpointRules, judgeEndpoint } from "../../../support/judge-endpoint.ts"
import type { MirrorValues } from "../../annotations/values.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

/** What a policy and a route say about copies of requests. */
export interface Mirroring {
  readonly policy?: PolicyFields["mirror"]
  readonly variables: RouteVariables
}

type Target = NonNullable<MirrorValues["target"]>

const nothing: Mirroring = { variables: {} }

export function mirroring({ target, host, body }: MirrorValues, context: IngressContext): Mirroring {
  if (target === undefined) return nothing
  const fault = faultOf(target, context.options.endpoints)
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
function faultOf({ host, port }: Target, rules: EndpointRules): string | undefined {
  const address = /^localhost\.?$/i.test(host) ? "127.0.0.1" : host.replace(/^\[|\]$/g, "")
  const looksLikeAddress = isIP(address) !== 0 || host.startsWith("[") || /^[\d.]+$|^0x/i.test(host)
  if (!looksLikeAddress) return undefined
  const verdict = judgeEndpoint(address, port, rules)
  return verdict.kind === "usable" ? undefined : verdict.reason
}

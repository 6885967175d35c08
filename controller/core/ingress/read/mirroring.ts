import { isIP } from "node:net"
import type { LocationFields } from "../../../model/location.ts"
import type { RouteVariables } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import { isName } from "../../../support/host-name.ts"
import { type EndpointRules, judgeEndpoint } from "../../../support/judge-endpoint.ts"
import type { MirrorValues } from "../../annotations/values.ts"
import { urlBackendRef } from "../../declared/backend-ref.ts"
import type { OtherBackend } from "../../declared/proxying.ts"
import { annotationField, complainAbout, type IngressContext } from "./ingress-context.ts"

/** What a location and a route say about copies of requests. */
export interface Mirroring {
  readonly location?: LocationFields["mirror"]
  readonly backend?: OtherBackend
  readonly variables: RouteVariables
}

type Target = NonNullable<MirrorValues["target"]>

const nothing: Mirroring = { variables: {} }

export function mirroring({ target, host, body }: MirrorValues, context: IngressContext): Mirroring {
  if (target === undefined) return nothing
  const fault = faultOf(target, context.options.endpoints)
  if (fault !== undefined) {
    const message = `Cannot mirror requests to ${shown(target.url)}: ${fault}; they are not mirrored`
    complainAbout(context, "mirror-target", "mirror-refused", message)
    return nothing
  }
  const { namespace } = context.ingress.meta
  const ref = urlBackendRef("mirror", { host: addressOf(target.host), port: target.port, namespace })
  return {
    location: body === "off" ? "without-body" : "with-body",
    backend: {
      ref,
      field: annotationField(context, "mirror-target"),
      asker: 'annotation "mirror-target"',
    },
    variables: {
      mirrorBackend: ref.key,
      mirrorTarget: `${target.scheme}://upstream_mirror${target.path}`,
      mirrorHost: host ?? target.host,
      mirrorName: target.host,
    },
  }
}

/** What can be told of a target before DNS has answered. What a name leads to is judged as all backends are (backends/external.ts). */
function faultOf({ host, port }: Target, rules: EndpointRules): string | undefined {
  const address = addressOf(host)
  const looksLikeAddress = isIP(address) !== 0 || host.includes(":") || /^[\d.]+$|^0x/.test(host)
  if (!looksLikeAddress) return isName(host) ? undefined : "its host is no DNS name"
  const verdict = judgeEndpoint(address, port, rules)
  return verdict.kind === "usable" ? undefined : verdict.reason
}

/** This machine has an address without DNS. */
function addressOf(host: string): string {
  return /^(?:.+\.)?localhost\.?$/.test(host) ? "127.0.0.1" : host
}

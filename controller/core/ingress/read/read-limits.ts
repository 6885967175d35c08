import { contentName } from "../../../support/content-name.ts"
import { type LimitValues, unusable } from "../../annotations/values.ts"
import type { RuleLimits } from "../../declared/proxying.ts"
import { type Denied, denied, type IngressContext } from "./ingress-context.ts"

/** What is absent or 0 is no limit. Without any the rest says nothing. */
export function readLimits(
  said: LimitValues,
  { ingress, settings }: Pick<IngressContext, "ingress" | "settings">,
): RuleLimits | Denied | undefined {
  const { rps, rpm, connections, burstMultiplier, exempt, hasHeaders } = said
  if (rps === unusable || rpm === unusable || connections === unusable) return denied
  if (burstMultiplier === unusable || exempt === unusable) return denied
  if (said.by === unusable || said.ipv6Bits === unusable || hasHeaders === unusable) return denied
  if (!(rps || rpm || connections)) return undefined
  const by = said.by ?? settings.limitsBy
  const ipv6Bits = said.ipv6Bits ?? settings.ipv6PrefixBits
  const limits = {
    // in JSON it shows where a name ends
    key: contentName(JSON.stringify([ingress.meta.namespace, ingress.meta.name])),
    ...(rps && { rps }),
    ...(rpm && { rpm }),
    ...(connections && { connections }),
    ...(burstMultiplier !== undefined && { burstMultiplier }),
    ...(exempt && { exempt: exempt.id }),
    ...(!isAddress(by) && { by }),
    ...(ipv6Bits !== 128 && { ipv6Bits }),
    ...(hasHeaders === true && { hasHeaders }),
  }
  return { limits, ...(exempt && { exempt }) }
}

/** That is what counts anyway. */
function isAddress(by: readonly string[]): boolean {
  return by.every((part) => part === "address")
}

import { contentName } from "../../../support/content-name.ts"
import { type LimitValues, unusable } from "../../annotations/values.ts"
import type { IngressLimits } from "../parsed/route-proxying.ts"
import { type Denied, denied } from "./ingress-context.ts"

/** What is absent or 0 is no limit. Without any the rest says nothing. */
export function readLimits(
  said: LimitValues,
  ingress: { readonly namespace: string; readonly name: string },
): IngressLimits | Denied | undefined {
  const { rps, rpm, connections, burstMultiplier, exempt } = said
  if (rps === unusable || rpm === unusable || connections === unusable) return denied
  if (burstMultiplier === unusable || exempt === unusable) return denied
  if (!(rps || rpm || connections)) return undefined
  const limits = {
    // in JSON it shows where a name ends
    key: contentName(JSON.stringify([ingress.namespace, ingress.name])),
    ...(rps && { rps }),
    ...(rpm && { rpm }),
    ...(connections && { connections }),
    ...(burstMultiplier !== undefined && { burstMultiplier }),
    ...(exempt && { exempt: exempt.id }),
  }
  return { limits, ...(exempt && { exempt }) }
}

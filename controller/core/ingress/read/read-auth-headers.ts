import type { RequestHeader } from "../../../model/access.ts"
import type { ConfigMap } from "../../../model/objects/config-map.ts"
import { shown } from "../../../model/shown.ts"
import { compareText } from "../../../support/order.ts"
import { headerFault } from "../../options/external-auth/auth-headers.ts"
import { withKnownVariables } from "../../options/known-variables.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"

const annotation = "auth-proxy-set-headers"

const reference: Reference<ConfigMap> = {
  annotation,
  kind: "ConfigMap",
  find: ({ lookups }, name) => lookups.configMap(name),
}

/** Printable ASCII. */
const printable = /^[\x20-\x7e]{0,4096}$/

/** The headers of the ConfigMap that an Ingress names, in order of their names: one that cannot be used is a reason to ask nothing at all. */
export function authHeaders(text: string, context: IngressContext): readonly RequestHeader[] | Denied {
  const found = referenced(reference, text, context)
  if (found === denied) return denied
  const headers = Object.entries(found.object.data)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => compareText(a.name, b.name))
  const faults = headers.flatMap((header) => faultOf(header) ?? [])
  if (faults.length === 0) return headers
  const state = `Cannot use ConfigMap ${found.name}: ${faults.join("; ")}`
  return deny(context, annotation, "auth-headers-refused", state)
}

function faultOf({ name, value }: RequestHeader): string | undefined {
  const key = `key ${shown(name)}`
  const fault = headerFault(name)
  if (fault !== undefined) return `${key} ${fault}`
  if (!printable.test(value)) return `${key} holds more than 4096 printable ASCII characters, or others`
  const parsed = withKnownVariables(value)
  return parsed.kind === "refused" ? `for ${key} ${parsed.reason}` : undefined
}

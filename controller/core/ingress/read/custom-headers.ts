import type { ConfigMap } from "../../../model/objects/config-map.ts"
import type { Header } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import { compareText } from "../../../support/order.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"

const annotation = "custom-headers"

const reference: Reference<ConfigMap> = {
  annotation,
  kind: "ConfigMap",
  find: ({ lookups }, name) => lookups.configMap(name),
}

const headerName = /^[A-Za-z\d\-_]{1,253}$/
/** Printable ASCII. */
const headerValue = /^[\x20-\x7e]{0,4096}$/

/** The response headers of the ConfigMap that `custom-headers` names, in order of their names. */
export function customHeaders(text: string | undefined, context: IngressContext): readonly Header[] | Denied {
  if (text === undefined) return []
  const found = referenced(reference, text, context)
  if (found === denied) return denied
  const headers = Object.entries(found.object.data)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => compareText(a.name, b.name))
  const faults = headers.flatMap((header) => faultOf(header, context) ?? [])
  if (faults.length === 0) return headers
  const state = `Cannot use ConfigMap ${found.name}: ${faults.join("; ")}`
  return deny(context, annotation, "custom-headers-refused", state)
}

function faultOf({ name, value }: Header, { settings }: IngressContext): string | undefined {
  const key = `key ${shown(name)}`
  if (!headerName.test(name)) return `${key} is no name of a header`
  if (!headerValue.test(value)) return `${key} holds more than 4096 printable ASCII characters, or others`
  if (settings.allowedResponseHeaders.includes(name)) return undefined
  return `${key} is not among the headers of the ConfigMap's key "global-allowed-response-headers"`
}

import type { FastCgi, NamedText } from "../../../model/location.ts"
import type { ConfigMap } from "../../../model/objects/config-map.ts"
import { shown } from "../../../model/shown.ts"
import { compareText } from "../../../support/order.ts"
import type { FastCgiValues } from "../../annotations/values.ts"
import { withKnownVariables } from "../../options/known-variables.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"

const annotation = "fastcgi-params-configmap"

const reference: Reference<ConfigMap> = {
  annotation,
  kind: "ConfigMap",
  find: ({ lookups }, name) => lookups.configMap(name),
}

/** What FastCGI backends are told beside the usual; absent: nothing. */
export function fastCgi(
  { index, params }: FastCgiValues,
  context: IngressContext,
): FastCgi | Denied | undefined {
  const found = params === undefined ? [] : paramsOf(params, context)
  if (found === denied) return denied
  if (index === undefined && found.length === 0) return undefined
  return { ...(index !== undefined && { index }), params: found }
}

function paramsOf(text: string, context: IngressContext): readonly NamedText[] | Denied {
  const found = referenced(reference, text, context)
  if (found === denied) return denied
  const params = Object.entries(found.object.data)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => compareText(a.name, b.name))
  const faults = params.flatMap((param) => faultOf(param) ?? [])
  if (faults.length === 0) return params
  return deny(
    context,
    annotation,
    "fastcgi-refused",
    `Cannot use ConfigMap ${found.name}: ${faults.join("; ")}`,
  )
}

/** The value stands in nginx.conf, where one mistake would stop every later change. */
function faultOf({ name, value }: NamedText): string | undefined {
  const key = `key ${shown(name)}`
  if (!/^[A-Za-z0-9._-]{1,253}$/.test(name))
    return `${key} has other characters than letters, digits and . - _`
  if (!/^[A-Za-z0-9\-_${}/.]{0,1024}$/.test(value))
    return `${key} has a value of more than 1024 characters, or others than letters, digits and - _ $ { } / .`
  if (/\$\{?\d/.test(value)) return `${key} has a value with a group, and there is no pattern`
  const parsed = withKnownVariables(value)
  return parsed.kind === "refused" ? `${key}: ${parsed.reason}` : undefined
}

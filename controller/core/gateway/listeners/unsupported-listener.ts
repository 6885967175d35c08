import { fieldPath } from "../../../model/field-path.ts"
import type { GatewayListener } from "../../../model/objects/gateway/gateway-listener.ts"
import { shown } from "../../../model/shown.ts"
import type { Finding } from "../finding.ts"

/** What a listener says that would keep requests or clients out, and that has no meaning here: then it serves nothing, and nobody else serves its names. */
export function unsupportedIn({ name, filters, tls }: GatewayListener, field: string): Finding | undefined {
  const not = (what: string, ...at: readonly string[]): Finding => ({
    ...{ reason: "UnsupportedValue", code: "listener-refused", field: fieldPath(field, ...at) },
    message: `Cannot serve listener ${shown(name)}: ${what}`,
  })
  if (filters.length > 0)
    return not(
      "filters of listeners are not supported; use annotations of its routes, such as auth-url",
      "filters",
    )
  const [option] = Object.keys(tls?.options ?? {})
  if (option !== undefined)
    return not(`option ${shown(option)} of TLS is not supported; remove it`, "tls", "options")
  return undefined
}

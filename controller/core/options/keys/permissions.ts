import { type Keys, key } from "../key.ts"
import type { PermissionSettings } from "../settings.ts"
import { headerName, listOf, onOff } from "./parsers.ts"

/** What Ingresses may do. */
export const permissions: Keys<PermissionSettings> = {
  allowsCrossNamespaceResources: key("allow-cross-namespace-resources", onOff, "false"),
  allowedResponseHeaders: key("global-allowed-response-headers", listOf(headerName), ""),
}

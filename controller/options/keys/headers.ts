import { type Keys, key } from "../key.ts"
import type { HeaderSettings } from "../settings.ts"
import { qualified } from "../values.ts"
import { headerName, listOf, onOff } from "./parsers.ts"

export const headers: Keys<HeaderSettings> = {
  showsServer: key("server-tokens", onOff, "false"),
  passesServer: key("allow-backend-server-header", onOff, "false"),
  hidden: key("hide-headers", listOf(headerName), ""),
  addHeaders: key("add-headers", qualified, ""),
  proxySetHeaders: key("proxy-set-headers", qualified, ""),
}

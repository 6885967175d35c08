import type { Listening } from "../../../model/http/listening.ts"
import { type Keys, key } from "../key.ts"
import { ipAddress } from "./addresses.ts"
import { listOf, onOff } from "./parsers.ts"

export const listening: Keys<Listening> = {
  bindAddresses: key("bind-address", listOf(ipAddress), ""),
  disablesIpv6: key("disable-ipv6", onOff, "false"),
  reusesPort: key("reuse-port", onOff, "true"),
  expectsProxyProtocol: key("use-proxy-protocol", onOff, "false"),
  usesHttp2: key("use-http2", onOff, "true"),
}

import type { Resolving } from "../../../model/http/resolving.ts"
import { type Keys, key } from "../key.ts"
import { onOff } from "./parsers.ts"

export const resolving: Keys<Resolving> = {
  disableIpv6Dns: key("disable-ipv6-dns", onOff, "false"),
}

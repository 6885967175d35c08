import { family } from "../key.ts"
import { falseByDefault } from "./syntax.ts"

/** How the controller looks names up: nginx itself does not. */
export const resolving = family("Listeners", {
  disableIpv6Dns: falseByDefault("disable-ipv6-dns", "whether names are resolved to IPv4 addresses only", {
    shownDefault: "`true` without IPv6",
  }),
})

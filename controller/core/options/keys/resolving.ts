import type { Resolving } from "../../../model/http/resolving.ts"
import { type EntriesFor, family } from "../key.ts"
import { falseByDefault } from "./syntax.ts"

export const resolving = family("Listeners", {
  disableIpv6Dns: falseByDefault("disable-ipv6-dns", "whether names are resolved to IPv4 addresses only", {
    shownDefault: "`true` without IPv6",
  }),
} satisfies EntriesFor<Resolving>)

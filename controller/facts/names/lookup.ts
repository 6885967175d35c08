import type { Query, Reply } from "./query.ts"
import type { ResolvConf } from "./resolv-conf.ts"
import { candidates } from "./search.ts"

/** How looking a name up ended. The reasons fit after a colon. */
export type Outcome =
  | {
      readonly kind: "found"
      /** in no particular order */
      readonly addresses: readonly string[]
      readonly ttlSeconds: number
      /** the complete name that has them */
      readonly foundAs: string
    }
  /** DNS knows that there is nothing */
  | { readonly kind: "absent"; readonly reason: string }
  /** nothing is known */
  | { readonly kind: "failed"; readonly reason: string }

export interface LookupOptions {
  readonly query: Query
  readonly conf: Pick<ResolvConf, "search" | "ndots">
  /** whether names without an IPv4 address may have IPv6 ones */
  readonly withIpv6: boolean
  /** of the last time that it was found */
  readonly foundAs: string | undefined
}

/**
 * Looks a name up, in the search domains too. The first candidate with an address counts. One that could not be asked for is passed over,
 * unless it is the one that had the addresses last time: a server that is down for a moment must not turn one name into another.
 */
export async function lookup(name: string, options: LookupOptions): Promise<Outcome> {
  let failed: Outcome | undefined
  let absent: Extract<Reply, { kind: "absent" }> | undefined
  for (const candidate of candidates(name, options.conf)) {
    const reply = await addressesOf(candidate, options)
    if (reply.kind === "found") return { ...reply, foundAs: candidate }
    if (reply.kind === "failed") {
      failed = { kind: "failed", reason: reply.reason }
      if (reply.isSilent || candidate === options.foundAs) break
    } else if (absent === undefined || reply.exists) absent = reply
  }
  return failed ?? { kind: "absent", reason: absent?.reason ?? "it is too long for DNS" }
}

/** IPv4, or IPv6 where there is none, as in ingress-nginx: a node with only one of them is likelier to have IPv4. */
async function addressesOf(name: string, { query, withIpv6 }: LookupOptions): Promise<Reply> {
  const reply = await query(name, 4)
  // A name that does not exist has no records of any type (RFC 8020).
  return withIpv6 && reply.kind === "absent" && reply.exists ? query(name, 6) : reply
}

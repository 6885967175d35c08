import type { PostedLimits } from "../output/control/posted.ts"
import { isInRange } from "../support/address-range.ts"
import { missingNote, networks } from "./networks.ts"

/** How much a client may request of a route's Ingress. */
export interface Limits {
  /** per second, and how many may come at once */
  readonly perSecond?: Rate
  readonly perMinute?: Rate
  /** requests at a time */
  readonly connections?: number
  /** what tells clients apart; absent: the address */
  readonly by?: readonly string[]
  readonly ipv6Bits?: number
  /** networks that are not limited; absent: none */
  readonly exempt?: readonly string[]
  /** id of the list of them if it is not in force: then nobody is served */
  readonly missing?: string
  /** absent: nobody was asked about */
  readonly client?: { readonly address: string; readonly isExempt: boolean }
}

interface Rate {
  readonly requests: number
  /** before one has to wait its turn */
  readonly atOnce: number
}

type RangesOf = (id: string) => Promise<readonly string[] | undefined>

const defaultMultiplier = 5

/** @param client its address */
export async function limitsOf(posted: PostedLimits, rangesOf: RangesOf, client?: string): Promise<Limits> {
  const { rps, rpm, burst_multiplier: multiplier = defaultMultiplier, connections, exempt: id } = posted
  const exempt = id === undefined ? undefined : await rangesOf(id)
  const rate = (requests: number) => ({ requests, atOnce: requests * multiplier + 1 })
  const isExempt = client !== undefined && (exempt ?? []).some((range) => isInRange(client, range))
  return {
    ...(rps !== undefined && { perSecond: rate(rps) }),
    ...(rpm !== undefined && { perMinute: rate(rpm) }),
    ...(connections !== undefined && { connections }),
    ...(posted.by && { by: posted.by }),
    ...(posted.ipv6_bits !== undefined && { ipv6Bits: posted.ipv6_bits }),
    ...(exempt && { exempt }),
    ...(id !== undefined && exempt === undefined && { missing: id }),
    ...(client !== undefined && { client: { address: client, isExempt } }),
  }
}

export function limitNotes(limits: Limits): string[] {
  const { perSecond, perMinute, connections, by, ipv6Bits, exempt, missing, client } = limits
  return [
    ...(missing === undefined ? [] : [missingNote("address", missing)]),
    ...(perSecond === undefined ? [] : [rateNote(perSecond, "second")]),
    ...(perMinute === undefined ? [] : [rateNote(perMinute, "minute")]),
    ...(connections === undefined ? [] : [`${connections} at a time`]),
    ...(by === undefined ? [] : [`clients are told apart by ${by.join(" and ")}`]),
    ...(ipv6Bits === undefined ? [] : [`all of an IPv6 network of /${ipv6Bits} are one client`]),
    ...(exempt === undefined ? [] : [`not for ${networks(exempt)}`]),
    ...(client === undefined ? [] : [`${client.address} is ${client.isExempt ? "exempt" : "limited"}`]),
  ]
}

function rateNote({ requests, atOnce }: Rate, time: string): string {
  return `${requests} per ${time} of one client, ${atOnce} at once`
}

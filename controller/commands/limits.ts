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
export async function limitsOf(
  { rps, rpm, burst_multiplier: multiplier = defaultMultiplier, connections, exempt: id }: PostedLimits,
  rangesOf: RangesOf,
  client?: string,
): Promise<Limits> {
  const exempt = id === undefined ? undefined : await rangesOf(id)
  const rate = (requests: number) => ({ requests, atOnce: requests * multiplier + 1 })
  const isExempt = client !== undefined && (exempt ?? []).some((range) => isInRange(client, range))
  return {
    ...(rps !== undefined && { perSecond: rate(rps) }),
    ...(rpm !== undefined && { perMinute: rate(rpm) }),
    ...(connections !== undefined && { connections }),
    ...(exempt && { exempt }),
    ...(id !== undefined && exempt === undefined && { missing: id }),
    ...(client !== undefined && { client: { address: client, isExempt } }),
  }
}

export function limitNotes(limits: Limits): string[] {
  const { perSecond, perMinute, connections, exempt, missing, client } = limits
  return [
    ...(missing === undefined ? [] : [missingNote(missing)]),
    ...(perSecond === undefined ? [] : [rateNote(perSecond, "second")]),
    ...(perMinute === undefined ? [] : [rateNote(perMinute, "minute")]),
    ...(connections === undefined ? [] : [`${connections} at a time`]),
    ...(exempt === undefined ? [] : [`not for ${networks(exempt)}`]),
    ...(client === undefined ? [] : [`${client.address} is ${client.isExempt ? "exempt" : "limited"}`]),
  ]
}

function rateNote({ requests, atOnce }: Rate, time: string): string {
  return `${requests} per ${time} of one client, ${atOnce} at once`
}

import { distinctBy } from "../../../controller/support/distinct.ts"
import { compareText } from "../../../controller/support/order.ts"
import { type DiffRequest, isReadOnly, isSendable, keyOf, type Scheme } from "./request.ts"

/** Which requests may be sent. */
export interface Bounds {
  readonly maxRequests: number
  readonly allowsUnsafe: boolean
  /** somebody is known who may request paths of this host */
  readonly knowsUser: (host: string) => boolean
  /** that both sides are to be asked by */
  readonly schemes: ReadonlySet<Scheme>
}

export interface Chosen {
  readonly requests: readonly DiffRequest[]
  readonly leftOut: readonly LeftOut[]
}

/** Why requests are not sent; the count is above 0. */
export interface LeftOut {
  readonly why: string
  readonly count: number
}

/** Each request once, of all hosts as many as of any other as far as they have so many. The same input gives the same choice. */
export function chosen(all: readonly DiffRequest[], bounds: Bounds): Chosen {
  const { maxRequests, allowsUnsafe, knowsUser, schemes } = bounds
  const leftOut: LeftOut[] = []
  const keep = (from: readonly DiffRequest[], why: string, isMeant: (request: DiffRequest) => boolean) => {
    const kept = from.filter(isMeant)
    if (kept.length < from.length) leftOut.push({ why, count: from.length - kept.length })
    return kept
  }
  const once = distinctBy(all, keyOf)
  const sendable = keep(once, "their host, path or headers cannot be sent as they are", isSendable)
  const asked = keep(sendable, "one of both has no address for their scheme", (it) => schemes.has(it.scheme))
  const safe = keep(
    asked,
    "their methods may change something (--unsafe-methods)",
    ({ method }) => allowsUnsafe || isReadOnly(method),
  )
  const known = keep(
    safe,
    "no user is known for their host (--netrc-file)",
    ({ host, hasCredentials }) => !hasCredentials || knowsUser(host),
  )
  const requests = sampled(known, maxRequests)
  if (requests.length < known.length)
    leftOut.push({ why: "there would be too many (--max-requests)", count: known.length - requests.length })
  return { requests, leftOut }
}

function sampled(requests: readonly DiffRequest[], max: number): readonly DiffRequest[] {
  if (requests.length <= max) return requests
  const hosts = [...Map.groupBy(requests, ({ host }) => host)].sort(([a], [b]) => compareText(a, b))
  const shares = sharesOf(
    hosts.map(([, its]) => its.length),
    max,
  )
  return hosts.flatMap(([, its], at) => evenly(its, shares[at] ?? 0))
}

/** How many of each, so that nobody gets more than another one who could use it; what is left by division goes to the first. */
export function sharesOf(counts: readonly number[], max: number): readonly number[] {
  const shares = counts.map(() => 0)
  let left = max
  let open = counts.flatMap((count, at) => (count > 0 ? [at] : []))
  while (left > 0 && open.length > 0) {
    const each = Math.max(1, Math.floor(left / open.length))
    for (const at of open.slice(0, left)) {
      const more = Math.min(each, (counts[at] ?? 0) - (shares[at] ?? 0), left)
      shares[at] = (shares[at] ?? 0) + more
      left -= more
    }
    open = open.filter((at) => (shares[at] ?? 0) < (counts[at] ?? 0))
  }
  return shares
}

/** The first one, and others at equal distances. */
function evenly<T>(things: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, (_, at) => things[Math.floor((at * things.length) / count)]).filter(
    (thing) => thing !== undefined,
  )
}

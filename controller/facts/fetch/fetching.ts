import type { Cache } from "./cache.ts"
import type { Fetcher } from "./fetcher.ts"

/** What it takes to fetch things, to keep them fresh and to have them again at the next start. */
export interface Fetching {
  readonly fetcher: Pick<Fetcher, "fetch">
  /** a handshake must not be worse off after a start while somebody's server is down */
  readonly cache: Cache
  /** what the controller before this one left in the cache */
  readonly cached: ReadonlyMap<string, string>
  /** something is other than before */
  readonly changed: () => void
  /** ends all fetching */
  readonly signal: AbortSignal
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

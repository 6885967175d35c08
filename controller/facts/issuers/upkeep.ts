import type { Fetcher } from "./fetch.ts"
import type { Keeper } from "./keeper.ts"

/** What somebody needs who fetches things, keeps them fresh and has them again at the next start. */
export interface Upkeep {
  readonly fetcher: Pick<Fetcher, "fetch">
  /** where they are kept: a handshake must not be worse off after a start while somebody's server is down */
  readonly keeper: Keeper
  /** what was kept by the controller before this one */
  readonly kept: ReadonlyMap<string, string>
  /** something is other than before */
  readonly changed: () => void
  /** lets everything come to rest */
  readonly signal: AbortSignal
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

import { LastPass } from "../report/history/last-pass.ts"
import { ReloadHistory } from "../report/history/reload-history.ts"
import { declareMetrics, type Metrics } from "./metrics.ts"
import type { World } from "./world.ts"

/** What all parts have in common. */
export interface Common {
  readonly metrics: Metrics
  readonly reloads: ReloadHistory
  readonly lastPass: LastPass
  /** aborts when everything is to come to rest */
  readonly signal: AbortSignal
  readonly rest: () => void
  /** rejects with what cannot be mended; `breakOff` has it reject */
  readonly broken: Promise<never>
  readonly breakOff: (error: unknown) => void
  /** of what is asked until everything else has ended */
  readonly lastStops: AsyncDisposableStack
}

export function common(world: World, stops: AsyncDisposableStack): Common {
  const lastStops = stops.use(new AsyncDisposableStack())
  const working = new AbortController()
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>()
  return {
    metrics: declareMetrics(world),
    reloads: new ReloadHistory(),
    lastPass: new LastPass(),
    signal: working.signal,
    rest: () => working.abort(),
    ...{ broken, breakOff, lastStops },
  }
}

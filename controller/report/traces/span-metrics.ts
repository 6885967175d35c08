import type { Declare } from "../../support/declare.ts"
import type { SpanCounts } from "./traces.ts"

const counters: readonly (readonly [keyof SpanCounts, string])[] = [
  ["recorded", "Spans of requests that were recorded"],
  ["dropped", "Spans for which nginx had no room, because the collector was too slow"],
  ["exported", "Spans that the collector has taken"],
  ["failed", "Spans that the collector has not taken"],
]

/** What became of spans is read at each scrape. */
export function declareSpans(declare: Declare, read: () => SpanCounts): void {
  for (const [name, help] of counters)
    declare.counter(`wick_spans_${name}_total`, help, [], (counter) => {
      counter.reset()
      counter.inc(read()[name])
    })
}

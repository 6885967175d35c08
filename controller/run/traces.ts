import { declareSpans } from "../report/traces/span-metrics.ts"
import { type SpanSource, Traces } from "../report/traces/traces.ts"
import type { Metrics } from "./metrics.ts"
import type { World } from "./world.ts"

/** Brings spans of requests to a collector, once something is traced. */
export function takeTraces(
  { otlp, build, identity, log }: World,
  source: SpanSource,
  { kept }: Metrics,
  signal: AbortSignal,
): Traces {
  const sender = { version: build.release, pod: identity.pod }
  const traces = new Traces({
    source,
    environment: otlp,
    // The SDK is 24 to 32 MiB, so it is read where something is traced only.
    connect: async (settings) => (await import("../report/traces/otlp.ts")).connect(settings, otlp, sender),
    log,
    signal,
  })
  declareSpans(kept.declare, () => traces.counts)
  return traces
}

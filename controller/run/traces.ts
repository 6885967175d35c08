import type { Metrics } from "../report/observe/metrics.ts"
import { connect } from "../report/traces/otlp.ts"
import { type SpanSource, Traces } from "../report/traces/traces.ts"
import type { World } from "./world.ts"

/** Brings spans of requests to a collector, once something is traced. */
export function takeTraces(
  { otlp, build, identity, log }: World,
  source: SpanSource,
  metrics: Metrics,
  signal: AbortSignal,
): Traces {
  const sender = { version: build.release, pod: identity.pod }
  const traces = new Traces({
    source,
    environment: otlp,
    connect: (settings) => connect(settings, otlp, sender),
    log,
    signal,
  })
  metrics.observeSpans(() => traces.counts)
  return traces
}

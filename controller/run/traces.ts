import type { DataPlane } from "../output/plane/plane.ts"
import { declareSpans } from "../report/traces/span-metrics.ts"
import { Traces } from "../report/traces/traces.ts"
import type { Common } from "./common.ts"
import type { World } from "./world.ts"

/** Brings spans of requests to a collector, once something is traced. */
export function traces({
  otlp,
  build,
  identity,
  log,
  plane,
  metrics,
  signal,
}: World & Common & { readonly plane: DataPlane }): { readonly traces: Traces } {
  const sender = { version: build.release, pod: identity.pod }
  const traces = new Traces({
    source: plane.read.spans,
    environment: otlp,
    // The SDK is 24 to 32 MiB, so it is read where something is traced only.
    connect: async (settings) => (await import("../report/traces/otlp.ts")).connect(settings, otlp, sender),
    log,
    signal,
  })
  declareSpans(metrics.kept.declare, () => traces.counts)
  return { traces }
}

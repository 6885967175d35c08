import type { Tracing } from "../../../model/http/logs.ts"

/** Of a finished span that waits; most take less. */
const bytesPerSpan = 1024
/** Less is no ring. */
const minRingBytes = 64 * 1024

/** The arguments of `ingress_tracing`. */
export function tracingFields({
  sampler,
  samplerRatio,
  isParentBased,
  propagators,
  maxQueueSize,
}: Tracing): readonly string[] {
  return [
    `ring=${Math.max(maxQueueSize * bytesPerSpan, minRingBytes)}`,
    `sampler=${samplerWord(sampler, samplerRatio)}`,
    `parent=${isParentBased ? "on" : "off"}`,
    `propagators=${propagators.join()}`,
  ]
}

function samplerWord(sampler: Tracing["sampler"], ratio: number): string {
  switch (sampler) {
    case "AlwaysOn":
      return "on"
    case "AlwaysOff":
      return "off"
    case "TraceIdRatioBased":
      return String(ratio)
  }
}

import { type Family, planned } from "./entry.ts"

const location = { scope: "location", risk: "low" } as const

/** OpenTelemetry. */
export const tracingAnnotations = {
  enableOpentelemetry: planned("enable-opentelemetry", "observability", location),
  opentelemetryTrustIncomingSpan: planned("opentelemetry-trust-incoming-span", "observability", location),
  opentelemetryOperationName: planned("opentelemetry-operation-name", "observability", {
    ...location,
    risk: "medium",
  }),
} satisfies Family

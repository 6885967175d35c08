import { family, planned } from "../key.ts"

/** OpenTelemetry, and where clients come from. */
export const tracing = family("Logs", {
  enableOpentelemetry: planned("enable-opentelemetry", "observability"),
  opentelemetryConfig: planned("opentelemetry-config", "observability"),
  opentelemetryOperationName: planned("opentelemetry-operation-name", "observability"),
  opentelemetryTrustIncomingSpan: planned("opentelemetry-trust-incoming-span", "observability"),
  otelMaxExportBatchSize: planned("otel-max-export-batch-size", "observability"),
  otelMaxQueuesize: planned("otel-max-queuesize", "observability"),
  otelSampler: planned("otel-sampler", "observability"),
  otelSamplerParentBased: planned("otel-sampler-parent-based", "observability"),
  otelSamplerRatio: planned("otel-sampler-ratio", "observability"),
  otelScheduleDelayMillis: planned("otel-schedule-delay-millis", "observability"),
  otelServiceName: planned("otel-service-name", "observability"),
  otlpCollectorHost: planned("otlp-collector-host", "observability"),
  otlpCollectorPort: planned("otlp-collector-port", "observability"),
  useGeoip2: planned("use-geoip2", "image-and-chart"),
  geoip2AutoreloadInMinutes: planned("geoip2-autoreload-in-minutes", "image-and-chart"),
})

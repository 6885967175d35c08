import type { Propagator, Tracing as SamplerSettings } from "../../../model/http/logs.ts"
import type { SpanExport } from "../../../model/span-export.ts"
import { withoutCredentials } from "../credentials.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { withKnownVariables } from "../known-variables.ts"
import { accepted, emptyIs, oneOf, type Parser, refused } from "../parser.ts"
import { none, type Syntax } from "../usage.ts"
import { hostName } from "./addresses.ts"
import { collectorTls } from "./collector-tls.ts"
import { between, falseByDefault, port, ratio, trueByDefault, wordOf } from "./syntax.ts"
import { line, wholeListOf } from "./texts.ts"

/** A name of spans: text with variables. */
const spanName: Parser<string> = withoutCredentials((text) => {
  const parsed = line(text)
  return parsed.kind === "value" ? withKnownVariables(parsed.value) : parsed
})

const serviceName: Syntax<string> = {
  values: "text",
  parse: (text) => (text === "" ? accepted("nginx") : line(text)),
}

const propagators: Parser<readonly Propagator[]> = (text) => {
  const parsed = wholeListOf(oneOf("tracecontext", "b3", "b3multi"))(text)
  const isEmpty = parsed.kind === "value" && parsed.value.length === 0
  return isEmpty
    ? refused("write tracecontext, b3 or b3multi, or several of them separated by commas")
    : parsed
}

/** A kibibyte for each makes 128 MiB. */
const maxSpans = 131_072

/** Which requests are traced, and as what. */
export const routeTracing = family("Tracing", {
  tracesAll: falseByDefault("enable-opentelemetry", "requests of all Ingresses are traced"),
  spanName: key("opentelemetry-operation-name", { parse: spanName, values: "text with variables" }, "", {
    shownDefault: "method, and path of the rule",
    example: "$request_method $service_name",
    description: "name of the spans of requests",
  }),
  trustsIncomingSpan: trueByDefault(
    "opentelemetry-trust-incoming-span",
    "a trace that a client says its request is part of goes on; `false`: traces begin here",
  ),
})

/** What nginx has to know. */
export const sampling = family("Tracing", {
  sampler: key("otel-sampler", wordOf("AlwaysOn", "AlwaysOff", "TraceIdRatioBased"), "AlwaysOn", {
    example: "TraceIdRatioBased",
    description: "which traces that begin here are recorded",
  }),
  samplerRatio: key("otel-sampler-ratio", ratio, "0.01", {
    example: "0.1",
    exampleWith: { keys: { "otel-sampler": "TraceIdRatioBased" } },
    description: "which part of all traces `TraceIdRatioBased` records",
  }),
  isParentBased: trueByDefault(
    "otel-sampler-parent-based",
    "of a trace that a client began, the client says whether it is recorded",
  ),
  propagators: key(
    "otel-propagators",
    { parse: propagators, values: "list of `tracecontext`, `b3` and `b3multi`" },
    "tracecontext",
    {
      example: "tracecontext, b3multi",
      description:
        "wick's own: the headers in which traces come and go, as in OTEL_PROPAGATORS: `traceparent`, `b3`, or `X-B3-TraceId` and others; of several that come the first one of these counts",
    },
  ),
  maxQueueSize: key("otel-max-queuesize", between(1, maxSpans), "2048", {
    example: "8192",
    description:
      "finished spans that wait to be exported, at a kibibyte each; those that find no room are dropped and counted",
  }),
} satisfies EntriesFor<SamplerSettings>)

/** What the exporter has to know. */
export const spanExport = family("Tracing", {
  collectorHost: key("otlp-collector-host", { parse: emptyIs("", hostName), values: "a host" }, "", {
    shownDefault: "`OTEL_EXPORTER_OTLP_ENDPOINT` of the environment",
    example: "otel-collector.observability.svc",
    description: "host to which spans are sent by OTLP; without one nothing is sent",
  }),
  collectorPort: key("otlp-collector-port", port, "4317", {
    example: "4318",
    description: "port of that host",
  }),
  collectorTls: key("otlp-collector-tls-secret", collectorTls, "", {
    shownDefault: "no TLS",
    example: "shop/clients-ca",
    shownExample: "observability/otel-collector-tls",
    exampleWith: { keys: { "otlp-collector-host": "otel-collector.observability.svc" } },
    description:
      "wick's own: that host is spoken to by TLS; `ca.crt` has the authorities of its certificate, `tls.crt` and `tls.key` what it is shown, if anything",
    whenRefused: { value: "closed", state: "cannot be used, so no span is sent" },
  }),
  serviceName: key("otel-service-name", serviceName, "nginx", {
    example: "edge",
    description: "`service.name` of the spans",
  }),
  scheduleDelayMs: key("otel-schedule-delay-millis", between(1, 3_600_000), "5000", {
    example: "1000",
    description: "milliseconds after which finished spans are sent, however few",
  }),
  maxBatchSize: key("otel-max-export-batch-size", between(1, maxSpans), "512", {
    example: "256",
    description: "spans that are sent at a time",
  }),
} satisfies EntriesFor<SpanExport>)

/** OpenTelemetry's file. */
export const tracing = family("Tracing", {
  opentelemetryConfig: {
    name: "opentelemetry-config",
    shownDefault: none,
    values: "a path",
    example: "/etc/nginx/opentelemetry.toml",
    unneeded: "the exporter has no file",
  },
})

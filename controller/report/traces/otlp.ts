import { resourceFromAttributes } from "@opentelemetry/resources"
import type { SpanExporter } from "@opentelemetry/sdk-trace"
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions"
import type { FinishedSpan } from "../../model/span.ts"
import type { SpanExport } from "../../model/span-export.ts"
import { hostPort } from "../../support/address.ts"
import { type Origin, readableSpans } from "./readable-spans.ts"

/** What the environment says of exporters (OpenTelemetry, "OTLP exporter configuration"); the SDK reads the rest of it itself. */
export interface Environment {
  readonly protocol: "grpc" | "http/protobuf"
  /** it names a collector */
  readonly hasEndpoint: boolean
}

/** Who sends them. */
export interface Sender {
  readonly version: string
  readonly pod: string
}

/** Sends spans to one collector. */
export interface Exporter {
  /** @returns why the collector has not taken them; undefined: it has */
  send(spans: readonly FinishedSpan[]): Promise<string | undefined>
  close(): Promise<void>
}

/** The SDK's own exporter. It tries again where that may help, for ten seconds. */
export async function connect(
  settings: Pick<SpanExport, "collectorHost" | "collectorPort" | "serviceName">,
  { protocol }: Environment,
  sender: Sender,
): Promise<Exporter> {
  const exporter = await exporterOf(settings, protocol)
  const resource = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: settings.serviceName,
    [ATTR_SERVICE_VERSION]: sender.version,
    ...(sender.pod !== "" && { "service.instance.id": sender.pod, "k8s.pod.name": sender.pod }),
  })
  const origin: Origin = { resource, version: sender.version }
  return {
    send: (spans) => {
      const all = spans.flatMap((span) => readableSpans(span, origin))
      return new Promise((resolve) => {
        exporter.export(all, ({ code, error }) =>
          resolve(code === 0 ? undefined : (error?.message ?? "unknown")),
        )
      })
    },
    close: () => exporter.shutdown(),
  }
}

async function exporterOf(
  { collectorHost, collectorPort }: Pick<SpanExport, "collectorHost" | "collectorPort">,
  protocol: Environment["protocol"],
): Promise<SpanExporter> {
  const url = collectorHost === "" ? undefined : `http://${hostPort(collectorHost, collectorPort)}`
  if (protocol === "grpc") {
    const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-grpc")
    return new OTLPTraceExporter({ ...(url && { url }) })
  }
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto")
  return new OTLPTraceExporter({ ...(url && { url: `${url}/v1/traces` }) })
}

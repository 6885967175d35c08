import type { ChannelCredentials } from "@grpc/grpc-js"
import type { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc"
import type { OTLPTraceExporter as HttpExporter } from "@opentelemetry/exporter-trace-otlp-proto"
import { resourceFromAttributes } from "@opentelemetry/resources"
import type { SpanExporter } from "@opentelemetry/sdk-trace"
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions"
import type { FinishedSpan } from "../../model/span.ts"
import type { CollectorTls, SpanExport } from "../../model/span-export.ts"
import { hostPort } from "../../support/address.ts"
import { type Origin, readableSpans } from "./readable-spans.ts"

type GrpcOptions = NonNullable<ConstructorParameters<typeof GrpcExporter>[0]>
type HttpOptions = NonNullable<ConstructorParameters<typeof HttpExporter>[0]>

/** What the environment says of exporters (OpenTelemetry, "OTLP exporter configuration"); the SDK reads the rest of it itself. */
export interface Environment {
  readonly protocol: "grpc" | "http/protobuf"
  /** it names a collector */
  readonly hasEndpoint: boolean
}

/** The sender of spans. */
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
  settings: Pick<SpanExport, "collectorHost" | "collectorPort" | "collectorTls" | "serviceName">,
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
  { collectorHost, collectorPort, collectorTls: tls }: Parameters<typeof connect>[0],
  protocol: Environment["protocol"],
): Promise<SpanExporter> {
  if (collectorHost === "") return protocol === "grpc" ? await byGrpc({}) : await byHttp({})
  if (tls === "closed") throw new Error("TLS to the collector is asked for and cannot be had")
  const url = `${tls === undefined ? "http" : "https"}://${hostPort(collectorHost, collectorPort)}`
  if (protocol === "grpc") return await byGrpc({ url, ...(tls && { credentials: await credentialsOf(tls) }) })
  return await byHttp({ url: `${url}/v1/traces`, ...(tls && { httpAgentOptions: agentOptions(tls) }) })
}

async function byGrpc(options: GrpcOptions): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-grpc")
  return new OTLPTraceExporter(options)
}

async function byHttp(options: HttpOptions): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto")
  return new OTLPTraceExporter(options)
}

async function credentialsOf({ authorities, identity }: CollectorTls): Promise<ChannelCredentials> {
  const { credentials } = await import("@grpc/grpc-js")
  const [key, certificate] = identity ? [identity.key.reveal(), identity.certificate] : []
  const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text))
  return credentials.createSsl(bytes(authorities), bytes(key), bytes(certificate))
}

function agentOptions({ authorities, identity }: CollectorTls) {
  return {
    ca: authorities,
    ...(identity && { cert: identity.certificate, key: identity.key.reveal() }),
  }
}

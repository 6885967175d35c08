// A collector of OpenTelemetry: takes spans by gRPC and by HTTP, and reads them with the code that the official schema was compiled to. What it
// cannot read, it does not take.
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import {
  createServer as createHttp2,
  createSecureServer,
  type Http2Server,
  type ServerHttp2Session,
} from "node:http2"
import { createServer as createHttps } from "node:https"
import type { AddressInfo } from "node:net"
import type { SecureContextOptions, TlsOptions } from "node:tls"
import { gunzipSync } from "node:zlib"
import schema from "otlp-schema/build/src/generated/root.js"
import { keptMs } from "../../harness/http.ts"

/** A span as it came; ids in hexadecimal digits. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: string
  readonly startMs: number
  readonly endMs: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, string | number>>
  /** of its resource */
  readonly service: Readonly<Record<string, string | number>>
}

interface Message {
  decode(bytes: Uint8Array): object
  encode(message: object): { finish(): Uint8Array }
  verify(message: object): string | null
  toObject(message: object, options: object): object
}

// protobufjs does not say in types what it has generated.
const { ExportTraceServiceRequest, ExportTraceServiceResponse } = (
  schema as unknown as {
    opentelemetry: {
      proto: {
        collector: {
          trace: { v1: Record<"ExportTraceServiceRequest" | "ExportTraceServiceResponse", Message> }
        }
      }
    }
  }
).opentelemetry.proto.collector.trace.v1

/** Its certificate, and maybe whose certificates its clients need. */
type CollectorTls = SecureContextOptions & Pick<TlsOptions, "requestCert" | "rejectUnauthorized">

export class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = []
  /** how many spans came at a time */
  readonly batches: number[] = []
  /** takes nothing and answers that it is broken */
  isBroken = false
  readonly #http: Server
  readonly #grpc: Http2Server
  readonly #sessions = new Set<ServerHttp2Session>()

  private constructor(tls: CollectorTls | undefined) {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = Buffer.concat(await request.toArray())
      const isRight =
        request.url === "/v1/traces" && request.headers["content-type"] === "application/x-protobuf"
      const isTaken =
        isRight && this.#take(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body)
      response.writeHead(isTaken ? 200 : 400, { "content-type": "application/x-protobuf" })
      response.end(ExportTraceServiceResponse.encode({}).finish())
    }
    const kept = { keepAliveTimeout: keptMs }
    this.#http = tls ? createHttps({ ...tls, ...kept }, answer) : createHttp(kept, answer)
    this.#grpc = tls ? createSecureServer(tls) : createHttp2()
    this.#grpc.on("session", (session) => {
      this.#sessions.add(session)
      session.once("close", () => this.#sessions.delete(session))
    })
    this.#grpc.on("stream", async (stream, headers) => {
      stream.on("error", () => {})
      const body = Buffer.concat(await stream.toArray())
      const isRight = headers[":path"] === "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
      const isTaken = isRight && body[0] === 0 && this.#take(body.subarray(5))
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true })
      // 3 is INVALID_ARGUMENT: it is not tried again.
      stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": isTaken ? "0" : "3" }))
      stream.end(Buffer.alloc(5))
    })
  }

  /** @param tls by TLS alone */
  static async start(tls?: CollectorTls): Promise<Collector> {
    const collector = new Collector(tls)
    for (const server of [collector.#http, collector.#grpc])
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return collector
  }

  get httpPort(): number {
    return (this.#http.address() as AddressInfo).port
  }

  get grpcPort(): number {
    return (this.#grpc.address() as AddressInfo).port
  }

  /** Those of a trace, in the order of their beginning. */
  trace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId).sort((a, b) => a.startMs - b.startMs)
  }

  #take(bytes: Buffer): boolean {
    if (this.isBroken) return false
    const message = ExportTraceServiceRequest.decode(bytes)
    if (ExportTraceServiceRequest.verify(message) !== null) return false
    const { resourceSpans = [] } = ExportTraceServiceRequest.toObject(message, {
      bytes: Buffer,
      longs: Number,
      enums: String,
    }) as Request
    const spans = resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
      scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => received(span, resource))),
    )
    this.batches.push(spans.length)
    this.spans.push(...spans)
    return true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections()
    for (const session of this.#sessions) session.destroy()
    await Promise.all(
      [this.#http, this.#grpc].map((server) => new Promise((resolve) => server.close(resolve))),
    )
  }
}

interface Pair {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number }
}

interface Span {
  readonly traceId: Buffer
  readonly spanId: Buffer
  readonly parentSpanId?: Buffer
  readonly name: string
  readonly kind: string
  readonly startTimeUnixNano: number
  readonly endTimeUnixNano: number
  readonly status?: { readonly code?: string }
  readonly attributes?: readonly Pair[]
}

interface Resource {
  readonly attributes?: readonly Pair[]
}

interface Request {
  readonly resourceSpans?: readonly {
    readonly resource?: Resource
    readonly scopeSpans?: readonly { readonly spans?: readonly Span[] }[]
  }[]
}

function received(span: Span, resource: Resource = {}): ReceivedSpan {
  return {
    traceId: span.traceId.toString("hex"),
    spanId: span.spanId.toString("hex"),
    parentSpanId: (span.parentSpanId ?? Buffer.alloc(0)).toString("hex"),
    name: span.name,
    kind: span.kind,
    startMs: span.startTimeUnixNano / 1e6,
    endMs: span.endTimeUnixNano / 1e6,
    isError: span.status?.code === "STATUS_CODE_ERROR",
    attributes: valuesOf(span.attributes),
    service: valuesOf(resource.attributes),
  }
}

function valuesOf(pairs: readonly Pair[] = []): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? ""]),
  )
}

/** A request that was traced and has ended, as nginx has recorded it (docs/tracing.md). */
export interface FinishedSpan {
  readonly kind: "request" | "authentication" | "subrequest"
  /** 32 hexadecimal digits */
  readonly traceId: string
  /** 16 hexadecimal digits */
  readonly spanId: string
  /** absent: the trace begins here */
  readonly parentSpanId?: string
  /** milliseconds since 1970 */
  readonly startMs: number
  readonly durationMs: number
  /** 0: the client was gone before there was one */
  readonly status: number
  readonly requestBytes: number
  readonly responseBytes: number
  readonly texts: Readonly<Partial<Record<SpanText, string>>>
  /** to pass it on, in order */
  readonly attempts: readonly SpanAttempt[]
}

/** By their numbers in a record, from 1 on. */
export const spanTexts = [
  "name",
  "method",
  "scheme",
  "host",
  "path",
  "query",
  "protocol",
  "userAgent",
  "clientAddress",
  "clientPort",
  "peerAddress",
  "serverPort",
  "route",
  "namespace",
  "ingress",
  "service",
  "backend",
  "tracestate",
  "upstreamScheme",
  "upstreamTarget",
] as const

export type SpanText = (typeof spanTexts)[number]

/** One request to an endpoint. */
export interface SpanAttempt {
  readonly spanId: string
  readonly startMs: number
  readonly durationMs: number
  /** until it was connected; absent: it never was */
  readonly connectMs?: number
  /** until the answer's head was there; absent: it never was */
  readonly headerMs?: number
  /** 0: there was no answer */
  readonly status: number
  readonly responseBytes: number
  /** `10.0.0.1:80`, `[fd00::1]:80` */
  readonly address: string
}

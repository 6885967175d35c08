import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api"
import type { Resource } from "@opentelemetry/resources"
import type { ReadableSpan } from "@opentelemetry/sdk-trace"
import type { FinishedSpan, SpanAttempt } from "../../model/span.ts"
import { attemptAttributes, requestAttributes, subrequestAttributes } from "./attributes.ts"

/** What all spans of an exporter have in common. */
export interface Origin {
  readonly resource: Resource
  /** of wick */
  readonly version: string
}

/** A request as the SDK's exporters take it: its own span, and one for each attempt to pass it on. */
export function readableSpans(span: FinishedSpan, origin: Origin): ReadableSpan[] {
  const { traceId, spanId, parentSpanId } = span
  const parent = parentSpanId === undefined ? undefined : contextOf(traceId, parentSpanId)
  const isClients = span.kind === "request"
  const own = readable(origin, {
    name: nameOf(span),
    kind: isClients ? SpanKind.SERVER : SpanKind.CLIENT,
    context: contextOf(traceId, spanId),
    ...(parent && { parent }),
    startMs: span.startMs,
    durationMs: span.durationMs,
    status: statusOf(span.status, isClients ? 500 : 400),
    attributes: isClients ? requestAttributes(span) : subrequestAttributes(span),
  })
  return [own, ...span.attempts.map((attempt, nth) => attemptSpan(span, attempt, nth, origin))]
}

function attemptSpan(span: FinishedSpan, attempt: SpanAttempt, nth: number, origin: Origin): ReadableSpan {
  return readable(origin, {
    name: span.texts.method ?? "HTTP",
    kind: SpanKind.CLIENT,
    context: contextOf(span.traceId, attempt.spanId),
    parent: contextOf(span.traceId, span.spanId),
    startMs: attempt.startMs,
    durationMs: attempt.durationMs,
    status: statusOf(attempt.status, 400),
    attributes: attemptAttributes(span, attempt, nth),
  })
}

/** Source: semantic conventions, "HTTP spans": method and route. */
function nameOf({ kind, texts: { name, method = "HTTP", route } }: FinishedSpan): string {
  if (kind !== "request") return kind
  return name ?? (route ? `${method} ${route}` : method)
}

interface Parts {
  readonly name: string
  readonly kind: SpanKind
  readonly context: SpanContext
  readonly parent?: SpanContext
  readonly startMs: number
  readonly durationMs: number
  readonly status: SpanStatus
  readonly attributes: Attributes
}

function readable({ resource, version }: Origin, parts: Parts): ReadableSpan {
  const { name, kind, context, parent, startMs, durationMs, status, attributes } = parts
  return {
    name,
    kind,
    spanContext: () => context,
    ...(parent && { parentSpanContext: parent }),
    startTime: timeOf(startMs),
    endTime: timeOf(startMs + durationMs),
    duration: timeOf(durationMs),
    status,
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: "wick", version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function contextOf(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
}

function statusOf(status: number, errors: number): SpanStatus {
  return { code: status === 0 || status >= errors ? SpanStatusCode.ERROR : SpanStatusCode.UNSET }
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): HrTime {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000]
}

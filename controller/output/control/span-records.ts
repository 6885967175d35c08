import { type FinishedSpan, type SpanAttempt, type SpanText, spanTexts } from "../../model/span.ts"
import type { SpanPage } from "../plane/readings.ts"

// Records of finished spans as nginx writes them (nginx/tracing, docs/tracing.md). Little endian but for ids.

const headBytes = 40

export function readSpanPage(page: Buffer): SpanPage {
  const word = (nth: number) => page.readBigUInt64LE(8 * nth)
  return {
    mark: `${word(0)}-${word(1)}`,
    recorded: Number(word(2)),
    dropped: Number(word(3)),
    waiting: Number(word(4)),
    spans: [...recordsOf(page.subarray(headBytes))].flatMap((record) => readSpan(record) ?? []),
  }
}

/** Each has its length in front, and is filled up to eight bytes. */
function* recordsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at))
    yield bytes.subarray(at + 8, at + 8 + length)
    at += 8 + Math.ceil(length / 8) * 8
  }
}

const kinds = ["request", "authentication", "subrequest"] as const
const version = 1
const fieldsAt = 64
const attemptField = 32

/** @returns undefined for one of an nginx that writes another version, as while wick is upgraded */
function readSpan(record: Buffer): FinishedSpan | undefined {
  const kind = kinds[record[1] ?? -1]
  if (record.length < fieldsAt || record[0] !== version || kind === undefined) return undefined
  const parentSpanId = record.toString("hex", 32, 40)
  const fields = [...fieldsOf(record.subarray(fieldsAt))]
  return {
    kind,
    status: record.readUInt16LE(2),
    durationMs: record.readUInt32LE(4),
    traceId: record.toString("hex", 8, 24),
    spanId: record.toString("hex", 24, 32),
    ...(/[^0]/.test(parentSpanId) && { parentSpanId }),
    startMs: Number(record.readBigUInt64LE(40)),
    requestBytes: Number(record.readBigUInt64LE(48)),
    responseBytes: Number(record.readBigUInt64LE(56)),
    texts: textsOf(fields),
    attempts: fields.flatMap(({ id, value }) => (id === attemptField ? [readAttempt(value)] : [])),
  }
}

interface Field {
  readonly id: number
  readonly value: Buffer
}

function* fieldsOf(bytes: Buffer): Generator<Field> {
  for (let at = 0; at + 3 <= bytes.length; ) {
    const end = at + 3 + bytes.readUInt16LE(at + 1)
    yield { id: bytes[at] ?? 0, value: bytes.subarray(at + 3, end) }
    at = end
  }
}

function textsOf(fields: readonly Field[]): FinishedSpan["texts"] {
  const texts: Partial<Record<SpanText, string>> = {}
  for (const { id, value } of fields) {
    const name = spanTexts[id - 1]
    if (name !== undefined) texts[name] = value.toString()
  }
  return texts
}

const missing = 0xffff_ffff

function readAttempt(value: Buffer): SpanAttempt {
  const [connectMs, headerMs] = [value.readUInt32LE(28), value.readUInt32LE(32)]
  return {
    spanId: value.toString("hex", 0, 8),
    startMs: Number(value.readBigUInt64LE(8)),
    responseBytes: Number(value.readBigUInt64LE(16)),
    durationMs: value.readUInt32LE(24),
    ...(connectMs !== missing && { connectMs }),
    ...(headerMs !== missing && { headerMs }),
    status: value.readUInt32LE(36),
    address: value.toString("latin1", 40),
  }
}

/** The moving average of policy-as/assembly/lib/ewma.ts, as the filter keeps it for policies that look at times. */
import { NumberKind } from "../../harness/abi.ts"
import type { Numbers } from "./numbers.ts"

const DECAY_MS = 10_000
const MAX_RISE = 2
const MAX_PENALTY_NS = 60e9

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** Takes an attempt into the average of an endpoint. */
export function take(numbers: Numbers, slot: number, nowMs: number, ns: number, hasFailed: boolean): void {
  const [touched, average] = [numbers.low(slot, NumberKind.latency), averageOf(numbers, slot)]
  if (hasFailed) {
    if (average > 0)
      write(numbers, slot, nowMs, Math.max(average, Math.min(MAX_RISE * average, MAX_PENALTY_NS)))
    return
  }
  const ageMs = Math.max(0, (nowMs - touched) | 0)
  const weight = Math.exp(-ageMs / DECAY_MS)
  const next = ns >= average ? Math.min(ns, MAX_RISE * average || ns) : ns + (average - ns) * weight
  write(numbers, slot, nowMs, next)
}

function averageOf(numbers: Numbers, slot: number): number {
  bits[0] = numbers.high(slot, NumberKind.latency)
  return float[0] as number
}

function write(numbers: Numbers, slot: number, nowMs: number, average: number): void {
  float[0] = average
  numbers.set(slot, NumberKind.latency, nowMs >>> 0, bits[0])
}

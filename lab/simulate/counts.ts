/** Counts what a replay tells, in all and in equal parts of its time. */
import type { Observer, Served } from "./replay.ts"

export class Counts implements Observer {
  requests = 0
  retries = 0
  /** Nanoseconds of the answered requests. */
  readonly latencies: number[] = []
  /** Failed attempts by outcome. */
  readonly failures = new Map<number, number>()
  /** Attempts by endpoint and part. */
  readonly attempts = new Map<string, number[]>()
  /** Latencies of the requests that arrived in each part. */
  readonly latenciesOfPart: readonly number[][]
  readonly #partNs: number

  constructor(totalNs: number, parts: number) {
    this.#partNs = totalNs / parts
    this.latenciesOfPart = Array.from({ length: parts }, () => [])
  }

  readonly chosen = (endpoint: string, atNs: number): void => {
    const parts = this.attempts.get(endpoint) ?? this.latenciesOfPart.map(() => 0)
    const part = this.#partOf(atNs)
    parts[part] = (parts[part] ?? 0) + 1
    this.attempts.set(endpoint, parts)
  }

  readonly failed = (outcome: number): void => {
    this.failures.set(outcome, (this.failures.get(outcome) ?? 0) + 1)
  }

  readonly served = ({ atNs, attempts, latencyNs }: Served): void => {
    this.requests++
    this.retries += Math.max(0, attempts - 1)
    if (latencyNs === undefined) return
    this.latencies.push(latencyNs)
    this.latenciesOfPart[this.#partOf(atNs)]?.push(latencyNs)
  }

  /** What happens after the end belongs to the last part. */
  #partOf(ns: number): number {
    return Math.min(this.latenciesOfPart.length - 1, Math.floor(ns / this.#partNs))
  }
}

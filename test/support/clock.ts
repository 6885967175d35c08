// What tests may know of time. Whatever is said here holds on a machine that is as slow as it likes: the linter lets no other file of test/ read
// a clock (test/lint/clock.grit), and CONTRIBUTING.md says why.
import { setTimeout } from "node:timers/promises"
import { expect, vi } from "vitest"
import { cpuSecondsOf } from "../../harness/processes.ts"

/** A moment in the milliseconds of `startLoad`, to say which of two things came first, or that they are at least so far apart. */
export const moment = (): number => performance.now()

/** Does something that has to last: a delay, a timeout, a rate. To begin late or to be held up only makes it longer. */
export async function tookAtLeast<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const result = await work()
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(ms)
  return result
}

/** Does something for which a process has to work so long, in seconds of the processor. */
export async function workedAtLeast<T>(seconds: number, pid: number, work: () => Promise<T>): Promise<T> {
  const before = cpuSecondsOf(pid)
  const result = await work()
  expect(cpuSecondsOf(pid) - before).toBeGreaterThanOrEqual(seconds)
  return result
}

/**
 * Lets time pass where there is nothing to wait for. On a busy machine the test may see less than it could, and passes.
 *
 * @param _why what must not happen meanwhile, or what nobody can see happen: a sentence for the reader
 */
export async function letPass(ms: number, _why: string): Promise<void> {
  await setTimeout(ms)
}

/** Looks again and again, for so long, whether everything is as it was: `look` throws when it is not. */
export async function staysFor(ms: number, look: () => void | Promise<void>): Promise<void> {
  for (const endMs = performance.now() + ms; performance.now() < endMs; await setTimeout(20)) await look()
}

/** How many a rate may have let through since this call, at most: the longer everything takes, the more. */
export function allowance(perSecond: number): () => number {
  const startMs = performance.now()
  return () => Math.ceil(((performance.now() - startMs) / 1000) * perSecond)
}

/** How long ago something began of which only is known that it was within a call. */
export interface Age {
  /** It is as old as this, or older. */
  atLeastMs(): number
  /** It is as old as this, or younger. */
  atMostMs(): number
}

/** Begins something, and says from then on how old it is. */
export async function ageOf(begin: () => Promise<unknown>): Promise<Age> {
  const beforeMs = performance.now()
  await begin()
  const afterMs = performance.now()
  return {
    atLeastMs: () => performance.now() - afterMs,
    atMostMs: () => performance.now() - beforeMs,
  }
}

/** What is known of times that others read from their clocks while something went on. */
export interface Span {
  /** Expects that a part of it did not last longer than all of it, in milliseconds. */
  holds(partMs: number | undefined): void
  /** Expects that a moment of it lies between its ends, in milliseconds since 1970; clocks of whole seconds are a second behind at most. */
  includes(dateMs: number): void
  /** The same in nanoseconds of CLOCK_MONOTONIC. */
  includesMonotonic(ns: bigint): void
}

/** How far a clock of seconds, or one that is read once for many events, may be behind. */
const behindMs = 1000

/** Does something, in the course of which others read their clocks. */
export async function spanOf(work: () => Promise<unknown>): Promise<Span> {
  const [fromMs, fromNs] = [Date.now(), process.hrtime.bigint()]
  await work()
  const [toMs, toNs] = [Date.now() + 1, process.hrtime.bigint()]
  const between = (value: number, from: number, to: number) => {
    expect(value).toBeGreaterThanOrEqual(from - behindMs)
    expect(value).toBeLessThanOrEqual(to)
  }
  return {
    holds(partMs) {
      expect(partMs).toBeGreaterThanOrEqual(0)
      expect(partMs).toBeLessThanOrEqual(Number(toNs - fromNs) / 1e6)
    },
    includes: (dateMs) => between(dateMs, fromMs, toMs),
    includesMonotonic: (ns) => between(Number(ns - fromNs) / 1e6, 0, Number(toNs - fromNs) / 1e6),
  }
}

/** The time of a clock that the test itself moves. */
export function fakeNow(): number {
  if (!vi.isFakeTimers()) throw new Error("This is the time of the machine: call vi.useFakeTimers()")
  return performance.now()
}

/** How long something took, for whoever reads the output: a text, with which nothing can be compared. */
export function stopwatch(): () => string {
  const startMs = performance.now()
  return () => `${((performance.now() - startMs) / 1000).toFixed(2)} s`
}

// What tests may know of time. Whatever is said here holds on a machine that is as slow as it likes: the linter lets no other file of test/ read
// a clock (test/lint/clock.grit), and CONTRIBUTING.md says why.
import { setTimeout } from "node:timers/promises"
import { expect, vi } from "vitest"
import { cpuSecondsOf } from "./processes.ts"

/** A moment in the milliseconds of `startLoad`, to say which of two things came first. How far apart they are says how busy the machine is. */
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

import { setTimeout as pause } from "node:timers/promises"

/** How many times as long everything takes: more than 1 under valgrind (test/memory). */
const slowdown = Number(process.env.WICK_TEST_SLOWDOWN ?? 1)

/** For `wasm { }`: filters need more than the processor time that they are given where all is slow, and those that loop have to end. A later line takes its place. */
export const patientWithFilters = slowdown === 1 ? "" : "callback_deadline 10s;"

/**
 * How long a test waits for what is sure to happen, in milliseconds. It ends tests that would wait for ever and says nothing about how long
 * anything may take: on a machine with other load, work of a second has taken forty, and a start of wick in a Pod two minutes. Under valgrind
 * all takes some fifty times as long: three times the patience does for it.
 */
export const patienceMs = 240_000 * slowdown

/** To ask for something that takes its time is work, too, and mostly for what is asked. */
const maxPauseMs = 50

/**
 * Asks again and again until the answer is neither `undefined` nor `false`, and returns it.
 *
 * @param what completes the sentence "Waited N s in vain for …"
 * @param ask  may throw to give up at once
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = patienceMs,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`)
    await pause(pauseMs)
  }
}

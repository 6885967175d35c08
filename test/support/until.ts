import { setTimeout as pause } from "node:timers/promises"

/**
 * How long a test waits for what is sure to happen, in milliseconds. It ends tests that would wait for ever and says nothing about how long
 * anything may take: on a machine with other load, work of a second has taken twenty.
 */
export const patienceMs = 60_000

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
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`)
    await pause(5)
  }
}

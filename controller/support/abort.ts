import { setTimeout as wait } from "node:timers/promises"

/** Waits, or returns early when the signal aborts: cancellation is not a failure. @param ms milliseconds, at most 2^31−1 */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Resolves when the signal aborts; never rejects. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
}

import { expect } from "vitest"
import type { Load } from "../../support/load.ts"

/**
 * Ends the loads. Every request was answered by a backend.
 *
 * @param maxResent how many may have met a kept connection that the server had closed, which clients then send again
 */
export async function expectNoLoss(loads: readonly Load[], maxResent = 0): Promise<void> {
  for (const load of loads) {
    const { lost, resent, statuses, requests } = await load.stop()
    expect(lost).toEqual([])
    expect(resent).toBeLessThanOrEqual(maxResent)
    expect([...statuses.keys()]).toEqual([200])
    expect(requests).toBeGreaterThan(20)
  }
}

import { expect } from "vitest"
import type { Load } from "../../../harness/load.ts"
import { until } from "../../../harness/until.ts"

/**
 * Ends the loads. Every request was answered by a backend.
 *
 * @param maxResent how many may have met a kept connection that the server had closed, which clients then send again
 */
export async function expectNoLoss(loads: readonly Load[], maxResent = 0): Promise<void> {
  for (const load of loads) {
    await until("the load to go on", () => load.result.requests > 20)
    const { lost, resent, statuses } = await load.stop()
    expect(lost).toEqual([])
    expect(resent).toBeLessThanOrEqual(maxResent)
    expect([...statuses.keys()]).toEqual([200])
  }
}

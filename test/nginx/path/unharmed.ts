import { expect } from "vitest"
import { startLoad } from "../../../harness/load.ts"
import { until } from "../../../harness/until.ts"

/** Runs `during` while requests for the host shop.test go to the port, and expects that each of them was answered 200. */
export async function unharmed(port: number, during: () => Promise<void>): Promise<void> {
  const load = startLoad({ port, connections: 4, question: () => ({ host: "shop.test" }) })
  try {
    await until("requests", () => load.result.requests > 4)
    await during()
    const { requests } = load.result
    await until("requests afterwards", () => load.result.requests > requests + 4)
  } finally {
    await load.stop()
  }
  expect(load.result.lost).toEqual([])
  expect([...load.result.statuses.keys()]).toEqual([200])
}

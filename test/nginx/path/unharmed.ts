import { expect } from "vitest"
import { startLoad } from "../../support/load.ts"

/** Runs `during` while requests for the host shop.test go to the port, and expects that each of them was answered 200. */
export async function unharmed(port: number, during: () => Promise<void>): Promise<void> {
  const load = startLoad({ port, connections: 4, question: () => ({ host: "shop.test" }) })
  try {
    await during()
  } finally {
    await load.stop()
  }
  expect(load.result.requests).toBeGreaterThan(0)
  expect(load.result.lost).toEqual([])
  expect([...load.result.statuses.keys()]).toEqual([200])
}

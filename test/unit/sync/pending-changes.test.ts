import { expect, test } from "vitest"
import { PendingChanges } from "../../../controller/sync/pending-changes.ts"

test("changes are taken once, and come back in front of newer ones when they could not be carried out", () => {
  const changes = new PendingChanges()
  for (const ms of [1, 2]) changes.came(ms)
  const taken = changes.take()
  expect([taken, changes.take()]).toEqual([[1, 2], []])
  changes.came(3)
  changes.putBack(taken)
  expect(changes.take()).toEqual([1, 2, 3])
})

test("of very many those are kept that have waited longest", () => {
  const changes = new PendingChanges()
  for (let ms = 0; ms < 5000; ms += 1) changes.came(ms)
  const taken = changes.take()
  expect(taken.length).toBe(1000)
  for (let ms = 5000; ms < 5010; ms += 1) changes.came(ms)
  changes.putBack(taken)
  expect(changes.take()).toEqual(taken)
})

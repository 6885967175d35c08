import { expect, test } from "vitest"
import { findCulprits } from "../../../controller/nginx/trial.ts"

const good = { a: 1, b: 1, c: 1 }
type Settings = typeof good

test("one bad field is found among several changed ones", async () => {
  const isTaken = async ({ b }: Settings) => b === 1
  expect(await findCulprits({ a: 2, b: 2, c: 1 }, good, isTaken)).toEqual(["b"])
})

test("fields that are bad together are all taken back", async () => {
  const isTaken = async ({ a, b }: Settings) => a === 1 && b === 1
  expect(await findCulprits({ a: 2, b: 2, c: 1 }, good, isTaken)).toEqual(["a", "b"])
})

test("nothing is blamed when the settings have nothing to do with it", async () => {
  expect(await findCulprits({ a: 2, b: 2, c: 2 }, good, async () => false)).toEqual([])
  expect(await findCulprits(good, good, async () => false)).toEqual([])
})

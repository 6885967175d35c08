import { expect, test } from "vitest"
import { maxZoneSize, zoneSizes } from "../../../../controller/output/render/zone-sizes.ts"
import { httpWith } from "./site.ts"

const mebibyte = 2 ** 20
const unlimited = Number.POSITIVE_INFINITY
const inMebibytes = (sizes: object) => Object.values(sizes).map((bytes) => bytes / mebibyte)

test("without a limit zones have their usual sizes, and grow to a gibibyte", () => {
  const { processes } = httpWith({})
  expect(inMebibytes(zoneSizes(processes, unlimited))).toEqual([64, 32, 128, 4, 8, 1, 16])
  expect(maxZoneSize(processes, unlimited)).toBe(1024 * mebibyte)
})

test("none has more than a quarter of the container's memory, and none less than nginx takes", () => {
  const { processes } = httpWith({})
  expect(inMebibytes(zoneSizes(processes, 90.7 * mebibyte))).toEqual([22, 22, 22, 4, 8, 1, 16])
  expect(inMebibytes(zoneSizes(processes, mebibyte))).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(maxZoneSize(processes, 512 * mebibyte)).toBe(128 * mebibyte)
  expect(maxZoneSize(processes, 64 * 1024 * mebibyte)).toBe(1024 * mebibyte)
})

test("what the ConfigMap says counts, whatever the container may have", () => {
  const { processes } = httpWith({ zoneSizes: { routes: 256 * mebibyte }, maxZoneSize: 2000 * mebibyte })
  expect(inMebibytes(zoneSizes(processes, 128 * mebibyte))).toEqual([32, 256, 32, 4, 8, 1, 16])
  expect(maxZoneSize(processes, 128 * mebibyte)).toBe(2000 * mebibyte)
})

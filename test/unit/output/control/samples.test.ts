import { expect, test } from "vitest"
import { samplesIn } from "../../../../controller/output/control/samples.ts"

const page = Buffer.from(`# HELP wick_a_total A
# TYPE wick_a_total counter
wick_a_total{backend="shop-80",endpoint="[::1]:80"} 12
wick_b{path="/a\\"b\\\\c\\nd"} 0.5
wick_plain 3
other_total{x="y"} 1
`)

test("samples are read with their labels as they were before they were printed", () => {
  expect([...samplesIn(page, "wick_")]).toEqual([
    { name: "wick_a_total", labels: { backend: "shop-80", endpoint: "[::1]:80" }, value: 12 },
    { name: "wick_b", labels: { path: '/a"b\\c\nd' }, value: 0.5 },
    { name: "wick_plain", labels: {}, value: 3 },
  ])
})

test("others are passed over", () => {
  expect([...samplesIn(page, "other")].map(({ name }) => name)).toEqual(["other_total"])
  expect([...samplesIn(Buffer.from(""), "")]).toEqual([])
})

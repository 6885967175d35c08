import fc from "fast-check"
import { expect, test } from "vitest"
import { printLabels } from "../../../controller/report/observe/series.ts"
import { labelsIn } from "../../../controller/support/label-text.ts"

test("labels are read as they were printed", () => {
  const name = fc.stringMatching(/^[a-z_][a-z0-9_]*$/)
  const value = fc.oneof(fc.string(), fc.stringMatching(/^[\\"n\n,=]*$/))
  const labels = fc.array(fc.record({ name, value }))
  fc.assert(
    fc.property(labels, (labels) => {
      const text = labels.map(({ name, value }) => printLabels({ [name]: value })).join()
      expect(labelsIn(text)).toEqual(labels)
    }),
  )
})

test("no labels are none", () => {
  expect(labelsIn("")).toEqual([])
})

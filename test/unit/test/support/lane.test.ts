import { afterEach, expect, test, vi } from "vitest"
import { Lane } from "../../../support/lane.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

test("what comes too early is kept until its turn, and nothing is lost", () => {
  const written: string[] = []
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0)
  const lane = new Lane("heading ")
  lane.show("early ")
  expect(written).toEqual([])
  lane.open()
  lane.show("late")
  expect(written.join("")).toBe("heading early late")
})

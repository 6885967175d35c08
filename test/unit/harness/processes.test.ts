import { expect, test } from "vitest"
import { signal } from "../../../harness/processes.ts"

test.each([
  0,
  1,
  -1,
  -7,
  Number.NaN,
])("no signal goes to all of a run, nor to all of the machine: %d", (pid) => {
  expect(() => signal(pid, "SIGCONT")).toThrow(`No process to send SIGCONT to: ${pid} is none`)
})

test("a process that is gone needs none", () => {
  expect(signal(2 ** 22, "SIGCONT")).toBeUndefined()
})

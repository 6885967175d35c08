// Vitest runs this before each file of tests with an nginx: many files share a process, and none may leave a server running beside the next.
import { afterAll, expect } from "vitest"
import { childrenOf, titleOf } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"

const before = new Set(childrenOf(process.pid))
const left = () => childrenOf(process.pid).filter((pid) => !before.has(pid))

afterAll(async () => {
  await until("all processes of the file to end", () => left().length === 0).catch(() => {})
  expect(left().map((pid) => `${pid} ${titleOf(pid)}`)).toEqual([])
})

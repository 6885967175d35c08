import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { startTicksOf } from "../../../../controller/output/nginx/proc.ts"
import { readResourceUse } from "../../../../controller/output/nginx/resource-use.ts"

test("what processes use is what the system says", async () => {
  const mine = await readResourceUse(process.pid)
  const status = readFileSync("/proc/self/status", "utf8")
  const residentBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
  expect(mine?.count).toBeGreaterThanOrEqual(1)
  expect(mine?.residentBytes).toBeGreaterThan(residentBytes / 2)
  const [boot] = /(?<=^btime )\d+$/m.exec(readFileSync("/proc/stat", "utf8")) ?? []
  expect(mine?.oldestStartSeconds).toBeCloseTo(Number(boot) + (startTicksOf(process.pid) ?? 0) / 100, 1)
  expect(await readResourceUse(2 ** 22 + 1)).toBeUndefined()
})

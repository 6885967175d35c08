import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test } from "vitest"
import { isAlive, startTicksOf, titleOf } from "../../../../controller/output/nginx/proc.ts"
import { signal } from "../../../../harness/processes.ts"
import { until } from "../../../../harness/until.ts"
import { startUnreaped } from "../../../support/unreaped.ts"

test("a process is alive from its first moment to its last, also while it becomes another program", async () => {
  // Each of them is three programs, one after the other.
  const script = "exec sh -c 'exec sleep 60'"
  for (let round = 0; round < 20; round += 1) {
    const child = spawn("sh", ["-c", script], { stdio: "ignore" })
    const pid = child.pid ?? 0
    const ticks = startTicksOf(pid)
    do {
      expect([isAlive(pid, ticks), startTicksOf(pid)]).toEqual([true, ticks])
    } while (titleOf(pid) !== "sleep 60")
    expect(isAlive(pid, (ticks ?? 0) + 1)).toBe(false)
    child.kill("SIGKILL")
    await once(child, "exit")
    expect(isAlive(pid, ticks)).toBe(false)
  }
})

test("one that waits to be reaped is not", async () => {
  using child = await startUnreaped()
  const { pid } = child
  const ticks = startTicksOf(pid)
  signal(pid, "SIGKILL")
  await until("the end", () => !isAlive(pid, ticks))
  expect(startTicksOf(pid)).toBeGreaterThan(0)
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Layout, layoutOf } from "../../../../controller/output/nginx/files.ts"
import { lock, ownerOf } from "../../../../controller/output/nginx/lock.ts"
import { isAlive, startTicksOf } from "../../../../controller/output/nginx/proc.ts"
import { signal } from "../../../../harness/processes.ts"
import { until } from "../../../../harness/until.ts"
import { startUnreaped, type Unreaped } from "../../../support/unreaped.ts"

let layout: Layout
let unreaped: Unreaped
let child: number
beforeEach(async () => {
  layout = layoutOf(mkdtempSync(join(tmpdir(), "wick-lock-")))
  unreaped = await startUnreaped()
  child = unreaped.pid
})
afterEach(() => {
  unreaped[Symbol.dispose]()
  rmSync(layout.dir, { recursive: true })
})

test("a directory belongs to the process that its note names by pid and start", async () => {
  const ticks = startTicksOf(child) ?? 0
  writeFileSync(layout.lock, `${child} ${ticks}\n`)
  expect(await ownerOf(layout)).toBe(child)
  await expect(lock(layout)).rejects.toThrow(`process ${child} works with it, stop it or choose another`)
  writeFileSync(layout.lock, `${child} ${ticks + 1}\n`)
  expect(await ownerOf(layout)).toBeUndefined()
})

test.each(["", "\n", "0 0\n", "x y\n", `${2 ** 22 + 1}\n`])("to nobody by the note %j", async (note) => {
  writeFileSync(layout.lock, note)
  expect(await ownerOf(layout)).toBeUndefined()
})

test("to nobody once that process is dead, though nobody has reaped it", async () => {
  const ticks = startTicksOf(child)
  writeFileSync(layout.lock, `${child} ${ticks}\n`)
  signal(child, "SIGKILL")
  await until("the end", () => !isAlive(child, ticks))
  expect(startTicksOf(child)).toBe(ticks)
  expect(await ownerOf(layout)).toBeUndefined()
  const free = await lock(layout)
  expect(readFileSync(layout.lock, "utf8")).toBe(`${process.pid} ${startTicksOf(process.pid)}\n`)
  await free()
  expect(await ownerOf(layout)).toBeUndefined()
})

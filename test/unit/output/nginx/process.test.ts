import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { layoutOf } from "../../../../controller/output/nginx/files.ts"
import { membersOf, titleOf } from "../../../../controller/output/nginx/proc.ts"
import { endOrphans, haveOrphans, noteOrphans } from "../../../../controller/output/nginx/process.ts"
import { signal } from "../../../../harness/processes.ts"
import { until } from "../../../../harness/until.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-process-"))
const layout = layoutOf(dir)
afterAll(() => rmSync(dir, { recursive: true }))

const pipe = join(dir, "pipe")
execFileSync("mkfifo", [pipe])

/** Whom a line in the pipe gives the title of a worker. */
const later = `read -r line <${pipe}; exec -a "nginx: worker process" cat 0<>${pipe}`

/** A leader of a process group, which is its pid, and one that it has forked. */
async function startGroup(): Promise<{ leader: ChildProcess; group: number; forked: number }> {
  const leader = spawn("bash", ["-c", `bash -c '${later}'; true`], {
    detached: true,
    stdio: "ignore",
  })
  const group = leader.pid ?? 0
  const others = () => membersOf(group).filter((pid) => pid !== group)
  await until("the second one", () => others().some((pid) => titleOf(pid).includes("read -r")))
  return { leader, group, forked: others()[0] ?? 0 }
}

test("a worker that a master forked a moment before it died is found when it has the title of one", async () => {
  const { leader, group, forked } = await startGroup()
  signal(group, "SIGKILL")
  await until("the leader to end", () => leader.signalCode !== null)
  writeFileSync(layout.group, String(group))
  await noteOrphans(layout)
  expect(await haveOrphans(layout)).toBe(false)
  writeFileSync(layout.group, String(process.pid)) // as by another nginx
  writeFileSync(pipe, "\n")
  await until("the title", () => titleOf(forked) === "nginx: worker process")
  expect(await haveOrphans(layout)).toBe(true)
  await endOrphans(layout)
  await until("its end", () => membersOf(group).length === 0)
  expect(await haveOrphans(layout)).toBe(false)
})

import { readFile, rm } from "node:fs/promises"
import { Failure } from "../../support/failure.ts"
import { type Layout, writeWhole } from "./files.ts"
import { isAlive, startTicksOf } from "./proc.ts"

/**
 * Says that this process owns the runtime directory: two controllers would undo each other's work. The note names the process by pid and start,
 * so that one left by a killed controller holds nobody up.
 *
 * @returns gives the directory free
 * @throws Failure `runtime-dir-in-use`
 */
export async function lock(layout: Layout): Promise<() => Promise<void>> {
  const pid = await ownerOf(layout)
  if (pid !== undefined && pid !== process.pid) {
    const advice = "stop it or choose another directory with --runtime-dir"
    throw new Failure(
      "runtime-dir-in-use",
      `Cannot use runtime directory "${layout.dir}": process ${pid} works with it, ${advice}`,
    )
  }
  await writeWhole(layout.lock, `${process.pid} ${startTicksOf(process.pid)}\n`)
  return () => rm(layout.lock, { force: true })
}

/** Pid of the controller that works in the runtime directory; undefined when none does, or it is dead and only waits to be reaped. */
export async function ownerOf(layout: Layout): Promise<number | undefined> {
  const owner = await readFile(layout.lock, "utf8").catch(() => "")
  const [pid, startTicks] = owner.split(" ").map(Number)
  return pid && isAlive(pid, startTicks) ? pid : undefined
}

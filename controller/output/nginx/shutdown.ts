import { setTimeout as pause } from "node:timers/promises"
import { Failure, systemCode } from "../../support/failure.ts"
import { dirsOf, layoutOf } from "./files.ts"
import { ownerOf } from "./lock.ts"
import { isAlive, startTicksOf } from "./proc.ts"

const pollMs = 100

/** Has a controller let its clients leave before it ends. A signal of its own: what SIGTERM does is up to `--shutdown-grace-period`. */
export const leaveSignal = "SIGUSR2"

/**
 * Has the controller that works in a runtime directory let its clients leave and end, and waits for that: it ends when its nginx has. How long
 * that may take is for the caller to say, who can end this process at any time.
 *
 * @param wanted `--runtime-dir`; "" looks where controllers work that were not told where
 * @throws Failure `not-running` when none works there
 */
export async function shutDown(wanted: string): Promise<void> {
  const dirs = dirsOf(wanted)
  for (const layout of dirs.map(layoutOf)) {
    const pid = await ownerOf(layout)
    if (pid === undefined) continue
    const startTicks = startTicksOf(pid)
    tell(pid)
    while (isAlive(pid, startTicks)) await pause(pollMs)
    return
  }
  const places = dirs.map((dir) => JSON.stringify(dir)).join(" or ")
  throw new Failure(
    "not-running",
    `Cannot find a controller that works in ${places}: name its directory with --runtime-dir`,
  )
}

function tell(pid: number): void {
  try {
    process.kill(pid, leaveSignal)
  } catch (error) {
    if (systemCode(error) === "ESRCH") return
    const advice = "run this as the user that it runs as"
    throw new Failure("not-ours", `Cannot end the controller, process ${pid}: ${advice}`, { cause: error })
  }
}

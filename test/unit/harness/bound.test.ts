import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { expect, test } from "vitest"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { isRunning, signal, titleOf } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"

/** Starts a program that is bound to it, tells its pid, and goes on. */
const starter = `
  import { spawn } from "node:child_process"
  import { bound } from "${join(root, "harness/bound.ts")}"
  console.log(spawn("setpriv", bound(process.argv[1], "sleep", "1000")).pid)
  setInterval(() => {}, 1000)
`

/** @returns who starts, and the pid of what it has started, which runs */
async function started(signalOfDeath: string) {
  const parent = spawn(nodeBinary, ["--input-type=module", "-e", starter, signalOfDeath], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(parent.stdout, "data")
  const pid = Number(line)
  await until("the program", () => titleOf(pid) === "sleep 1000")
  return { parent, pid }
}

test.each([
  ["KILL", "SIGCONT"],
  ["KILL", "SIGSTOP"],
  ["TERM", "SIGCONT"],
] as const)("a program ends by %s when who started it is killed, after %s", async (signalOfDeath, before) => {
  const { parent, pid } = await started(signalOfDeath)
  signal(pid, before)
  signal(parent.pid ?? 0, "SIGKILL")
  await until("the program to end", () => !isRunning(pid))
  expect(isRunning(parent.pid ?? 0)).toBe(false)
})

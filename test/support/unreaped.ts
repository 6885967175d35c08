import { spawn } from "node:child_process"
import { once } from "node:events"
import { titleOf } from "../../controller/output/nginx/proc.ts"
import { signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"

/** A process whose parent reaps nobody, so that it stays a zombie when it has ended. */
export interface Unreaped extends Disposable {
  readonly pid: number
}

export async function startUnreaped(): Promise<Unreaped> {
  // The shell becomes a program that reaps nobody.
  const script = "sleep 60 & echo $!; exec sleep 61"
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(parent.stdout, "data")
  const pid = Number(line)
  await until("the shell to become another program", () => titleOf(parent.pid ?? 0) === "sleep 61")
  const end = () => {
    signal(pid, "SIGKILL")
    parent.kill("SIGKILL")
  }
  return { pid, [Symbol.dispose]: end }
}

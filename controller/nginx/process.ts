import { type ChildProcess, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { sleep } from "../support/abort.ts"
import { systemCode } from "../support/failure.ts"
import { confArguments, nginxMissing } from "./check.ts"
import type { Layout } from "./files.ts"
import { childrenOf, membersOf, startTicksOf, titleOf } from "./proc.ts"

const pollMs = 10

/** A running master and its workers, started by us or by a controller before us. */
export class NginxProcess {
  readonly pid: number
  readonly #startTicks: number | undefined

  constructor(pid: number) {
    this.pid = pid
    this.#startTicks = startTicksOf(pid)
  }

  /** False once the master has ended, also when another process has got its pid since. */
  isRunning(): boolean {
    return titleOf(this.pid) !== "" && startTicksOf(this.pid) === this.#startTicks
  }

  /** Pids of the workers that accept connections; those that shut down are none of them. */
  acceptingWorkers(): number[] {
    return childrenOf(this.pid).filter(isAccepting)
  }

  /** `HUP` reads nginx.conf again, `QUIT` lets requests finish, `TERM` does not. Nothing happens to a process that is gone. */
  signal(name: "SIGHUP" | "SIGQUIT" | "SIGTERM"): void {
    if (this.isRunning()) send(this.pid, name)
  }

  /** Ends the master and all workers at once: they are the process group that `spawnNginx` made. */
  kill(): void {
    if (this.isRunning()) send(-this.pid, "SIGKILL")
  }

  /** Waits until the master has ended. @returns false when that took longer than `timeoutMs` */
  ended(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return untilTrue(() => !this.isRunning(), timeoutMs, signal)
  }
}

/**
 * Starts nginx in a session of its own, with our stdout and stderr: it survives a controller that is killed, and Ctrl-C in a terminal does not
 * reach it. Its process group is the master's pid.
 *
 * @param onExit called once when it ends, with what it ended with
 * @throws Failure `nginx-missing`
 */
export async function spawnNginx(
  binary: string,
  layout: Layout,
  onExit: (how: string) => void,
): Promise<NginxProcess> {
  const stdio = ["ignore", "inherit", "inherit"] as const
  const child = spawn(binary, confArguments(layout, layout.conf), { detached: true, stdio: [...stdio] })
  await spawned(binary, child)
  child.once("exit", (code, signal) => onExit(signal ?? `exit code ${code}`))
  child.unref()
  return new NginxProcess(child.pid ?? 0)
}

function spawned(binary: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve)
    child.once("error", (error) => reject(nginxMissing(binary, error)))
  })
}

/** The nginx that runs with this runtime directory's configuration, whoever started it. */
export async function findNginx(layout: Layout): Promise<NginxProcess | undefined> {
  const pid = await readPid(layout.pid)
  const isOurs = pid !== undefined && namesConf(titleOf(pid), layout.conf)
  return isOurs ? new NginxProcess(pid) : undefined
}

function namesConf(title: string, conf: string): boolean {
  return title.startsWith("nginx: master process") && `${title} `.includes(` -c ${conf} `)
}

/**
 * Ends the workers of a master that died: they would go on accepting connections with data that nobody updates. Requests in them may finish.
 * The process group still carries the dead master's pid, so no other process can be meant.
 */
export async function endOrphans(layout: Layout, signal: AbortSignal): Promise<void> {
  const group = await readPid(layout.pid)
  if (group === undefined || titleOf(group) !== "") return
  const orphans = membersOf(group).filter(isAccepting)
  for (const pid of orphans) send(pid, "SIGQUIT")
  const areEnding = await untilTrue(() => !orphans.some(isAccepting), 5000, signal)
  if (!areEnding) for (const pid of orphans.filter(isAccepting)) send(pid, "SIGKILL")
}

/** Asks every few milliseconds. @returns false when the answer was no for `timeoutMs` or the signal aborted */
export async function untilTrue(
  ask: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await ask())) {
    if (performance.now() > deadline || signal.aborted) return false
    await sleep(pollMs, signal)
  }
  return true
}

function isAccepting(pid: number): boolean {
  return titleOf(pid) === "nginx: worker process"
}

async function readPid(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => "")
  const pid = Number.parseInt(text, 10)
  return pid > 1 ? pid : undefined
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (systemCode(error) !== "ESRCH") throw error
  }
}

import { type ChildProcess, spawn } from "node:child_process"
import { readFile, rm } from "node:fs/promises"
import { sleep } from "../../support/abort.ts"
import { systemCode } from "../../support/failure.ts"
import { confArguments, nginxMissing } from "./check.ts"
import { emergencyArguments, forgetEmergencies } from "./emergencies.ts"
import { type Layout, writeWhole } from "./files.ts"
import { childrenOf, groupOf, isAlive, membersOf, parentOf, startTicksOf, titleOf } from "./proc.ts"

const pollMs = 10
const masterTitle = "nginx: master process"

/** A running master and its workers, started by us or by a controller before us. */
export class NginxProcess {
  readonly pid: number
  /** A child of ours, whose end is an event. Of one that a controller before us or another nginx has started nobody tells us when it ends. */
  readonly isChild: boolean
  readonly #startTicks: number | undefined

  constructor(pid: number, isChild = false) {
    this.pid = pid
    this.isChild = isChild
    this.#startTicks = startTicksOf(pid)
  }

  /** False once the master has ended, also when another process has got its pid since. */
  isRunning(): boolean {
    return isAlive(this.pid, this.#startTicks)
  }

  /** Pids of the workers that accept connections; those that shut down are none of them. */
  acceptingWorkers(): number[] {
    return childrenOf(this.pid).filter(isAccepting)
  }

  /** Has the workers that shut down end at once, but for so many that began last: their clients lose what they wait for. */
  endOldest(kept: number): void {
    const leaving = childrenOf(this.pid).filter(isShuttingDown)
    const began = leaving.map((pid) => ({ pid, ticks: startTicksOf(pid) ?? 0 }))
    const oldest = began.sort((a, b) => b.ticks - a.ticks || b.pid - a.pid).slice(kept)
    for (const { pid } of oldest) send(pid, "SIGTERM")
  }

  /**
   * `HUP` reads nginx.conf again, `USR2` starts another nginx from the files as they are now, `QUIT` lets requests finish, `TERM` does not.
   * Nothing happens to a process that is gone.
   */
  signal(name: "SIGHUP" | "SIGUSR2" | "SIGQUIT" | "SIGTERM"): void {
    if (this.isRunning()) send(this.pid, name)
  }

  /** Ends the master and all workers at once. */
  kill(): void {
    if (!this.isRunning()) return
    const workers = childrenOf(this.pid)
    for (const pid of [this.pid, ...workers]) send(pid, "SIGKILL")
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
  await forgetEmergencies(layout)
  const args = [...confArguments(layout, layout.conf), ...emergencyArguments(layout)]
  const child = spawn(binary, args, { detached: true, stdio: [...stdio] })
  await spawned(binary, child)
  child.once("exit", (code, signal) => onExit(signal ?? `exit code ${code}`))
  child.unref()
  return new NginxProcess(child.pid ?? 0, true)
}

function spawned(binary: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve)
    child.once("error", (error) => reject(nginxMissing(binary, error)))
  })
}

/** The nginx that runs with this runtime directory's configuration, also if a former controller started it. */
export function findNginx(layout: Layout): Promise<NginxProcess | undefined> {
  return findMaster(layout, layout.pid)
}

/** The nginx whose place another one is taking, or has taken. */
export function findOldNginx(layout: Layout): Promise<NginxProcess | undefined> {
  return findMaster(layout, layout.oldPid)
}

async function findMaster(layout: Layout, pidFile: string): Promise<NginxProcess | undefined> {
  const [pid] = await readPids(pidFile)
  const isOurs = pid !== undefined && namesConf(titleOf(pid), layout.conf)
  return isOurs ? new NginxProcess(pid) : undefined
}

/** Notes the process group of an nginx, by which its workers are found when it has died. */
export async function noteGroup(layout: Layout, { pid }: NginxProcess): Promise<void> {
  await writeWhole(layout.group, String(groupOf(pid) ?? pid))
}

function namesConf(title: string, conf: string): boolean {
  return title.startsWith(masterTitle) && `${title} `.includes(` -c ${conf} `)
}

/**
 * Workers whose master died: they go on accepting connections with data that nobody updates. They are in the process group of the master that
 * was started first, so no other process can be meant. The groups are noted in a file, as nginx.pid is overwritten by the next one.
 */
export async function noteOrphans(layout: Layout): Promise<void> {
  // Whoever is in one, also if nothing shows yet that it is a worker: one that was forked a moment ago has its master's title.
  const groups = (await groupsOf(layout)).filter((group) => membersOf(group).length > 0)
  await writeWhole(layout.orphans, groups.join("\n"))
}

/** Whether workers of a dead master serve. */
export async function haveOrphans(layout: Layout): Promise<boolean> {
  return (await groupsOf(layout)).some((group) => orphansOf(group).length > 0)
}

/** Makes the workers of dead masters stop accepting connections; requests in them may finish. */
export async function endOrphans(layout: Layout): Promise<void> {
  const groups = await groupsOf(layout)
  const orphans = () => groups.flatMap(orphansOf)
  for (const pid of orphans()) send(pid, "SIGQUIT")
  const areEnding = await untilTrue(() => orphans().length === 0, 5000, new AbortController().signal)
  if (!areEnding) for (const pid of orphans()) send(pid, "SIGKILL")
  await rm(layout.orphans, { force: true })
}

async function groupsOf(layout: Layout): Promise<number[]> {
  const noted = [layout.orphans, layout.group, layout.pid].map(readPids)
  return [...new Set((await Promise.all(noted)).flat())]
}

function orphansOf(group: number): number[] {
  return membersOf(group).filter((pid) => isAccepting(pid) && !isMaster(parentOf(pid)))
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

function isMaster(pid: number | undefined): boolean {
  return pid !== undefined && titleOf(pid).startsWith(masterTitle)
}

function isAccepting(pid: number): boolean {
  return titleOf(pid) === "nginx: worker process"
}

function isShuttingDown(pid: number): boolean {
  return titleOf(pid) === "nginx: worker process is shutting down"
}

/** The pids in a file; none when there is no file. */
async function readPids(path: string): Promise<number[]> {
  const text = await readFile(path, "utf8").catch(() => "")
  return text
    .split("\n")
    .map(Number)
    .filter((pid) => pid > 1)
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (systemCode(error) !== "ESRCH") throw error
  }
}

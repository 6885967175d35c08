import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { until } from "./until.ts"

/** Pids of the live children of `pid`, oldest first; empty when it is gone. */
export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    return text.split(" ").filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** A process's title: its arguments joined by spaces. Empty when it is gone or a zombie, and while it becomes another program. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
  } catch {
    return ""
  }
}

/** False once the process has ended, also when its parent has not waited for it yet. */
export function isRunning(pid: number): boolean {
  try {
    return !["Z", "X"].includes(fieldsOf(String(pid))[0] ?? "")
  } catch {
    return false
  }
}

/** True once no thread of the process runs, after SIGSTOP. */
export function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => fieldsOf(`${pid}/task/${thread}`)[0] === "T")
}

/**
 * Waits until each of these processes has slept once since the call, or has ended: what it was doing when it was called for is done. A worker of
 * nginx that has sent an answer may still have to write a line of its log, for as long as others have the machine. Blocks; gives up with a process
 * that has worked for a second since.
 */
export function settle(pids: readonly number[]): void {
  const deadlines = new Map(pids.map((pid) => [pid, workOf(pid) + 1]))
  const isBusy = (pid: number) => {
    try {
      return ["R", "D"].includes(fieldsOf(String(pid))[0] ?? "") && workOf(pid) < (deadlines.get(pid) ?? 0)
    } catch {
      return false
    }
  }
  for (let busy = pids.filter(isBusy); busy.length > 0; busy = busy.filter(isBusy)) {
    Atomics.wait(nothing, 0, 0, 1)
  }
}

/** Seconds of the processor; 0 once the process is gone. */
function workOf(pid: number): number {
  try {
    return cpuSecondsOf(pid)
  } catch {
    return 0
  }
}

const nothing = new Int32Array(new SharedArrayBuffer(4))

/** Workers of the nginx master `master` that accept connections, without those that are shutting down. */
export function workersOf(master: number): number[] {
  // Under valgrind titles are those of valgrind.
  if (titleOf(master).includes("valgrind")) return childrenOf(master).filter(isListening)
  return childrenOf(master).filter((pid) => /^nginx: worker process$/.test(titleOf(pid)))
}

/** Whether the process holds a socket that listens: a worker that is shutting down has closed them. False once it has ended. */
function isListening(pid: number): boolean {
  try {
    const listening = new Set(listeningInodes(pid).map((inode) => `socket:[${inode}]`))
    return readdirSync(`/proc/${pid}/fd`).some((fd) => listening.has(targetOf(`/proc/${pid}/fd/${fd}`)))
  } catch {
    return false
  }
}

/** Empty when the descriptor was closed just now. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ""
  }
}

/** In the network of the process. Source: proc(5), /proc/net/tcp and /proc/net/unix; include/net/tcp_states.h; include/uapi/linux/net.h (__SO_ACCEPTCON). */
function listeningInodes(pid: number): string[] {
  const rowsOf = (kind: string) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
  const tcp = ["tcp", "tcp6"].flatMap(rowsOf).filter((row) => row[3] === "0A")
  const unix = rowsOf("unix").filter((row) => row[3] === "00010000")
  return [...tcp.map((row) => row[9] ?? ""), ...unix.map((row) => row[6] ?? "")]
}

/** CPU time of a process in seconds, from /proc/<pid>/stat: user and system together, 10 ms steps. */
export function cpuSecondsOf(pid: number): number {
  const fields = fieldsOf(String(pid))
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Waits until a process has worked so much more, in seconds of the processor: it is in the middle of something. */
export async function untilWorked(pid: number, seconds: number): Promise<void> {
  const before = cpuSecondsOf(pid)
  await until(`process ${pid} to work`, () => cpuSecondsOf(pid) > before + seconds)
}

/** Of /proc/<process>/stat, from the state on: what stands before it may contain blanks. */
function fieldsOf(process: string): string[] {
  const stat = readFileSync(`/proc/${process}/stat`, "utf8")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** Resident memory of a process in bytes that is not shared with files (VmRSS without mapped files). */
export function memoryBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0)
  return (field("RssAnon") + field("RssShmem")) * 1024
}

/** Sends a signal; a process that is already gone is fine. @throws Error for what is no pid: 0 means all of this run, and -1 all of the machine */
export function signal(pid: number, name: NodeJS.Signals): void {
  if (!(pid > 1)) throw new Error(`No process to send ${name} to: ${pid} is none`)
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/** Asks a process to end with `name`, and kills it and its children with -9 when `graceMs` were not enough. */
export async function end(pid: number, name: NodeJS.Signals, graceMs = 5000): Promise<void> {
  const family = [pid, ...childrenOf(pid)]
  signal(pid, name)
  try {
    await until(`process ${pid} to end`, () => !family.some(isRunning), graceMs)
  } catch {
    for (const member of family) signal(member, "SIGKILL")
    await until(`process ${pid} to die`, () => !family.some(isRunning))
  }
}

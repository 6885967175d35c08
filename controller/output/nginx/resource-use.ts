import { readFile } from "node:fs/promises"
import type { ResourceUse } from "../../model/resource-use.ts"

// What Linux counts for the processes of an nginx (proc(5)).

/** Linux shows times in ticks of 1/100 s to programs on all its architectures (USER_HZ), and memory in pages. */
const ticksPerSecond = 100
const pageBytes = 4096

interface ProcessRow {
  readonly startSeconds: number
  readonly residentBytes: number
  readonly virtualBytes: number
  readonly cpuSeconds: number
  readonly readBytes: number
  readonly writtenBytes: number
}

/** The master and its workers; undefined when the master is gone. A worker that ends meanwhile is left out. */
export async function readResourceUse(masterPid: number): Promise<ResourceUse | undefined> {
  const pids = [masterPid, ...(await childrenOf(masterPid))]
  const bootSeconds = await readBootTime()
  const rows = (await Promise.all(pids.map((pid) => readProcess(pid, bootSeconds)))).filter(
    (row) => row !== undefined,
  )
  if (rows.length === 0) return undefined
  const sum = (of: (row: ProcessRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    count: rows.length,
    oldestStartSeconds: Math.min(...rows.map((row) => row.startSeconds)),
    residentBytes: sum((row) => row.residentBytes),
    virtualBytes: sum((row) => row.virtualBytes),
    cpuSeconds: sum((row) => row.cpuSeconds),
    readBytes: sum((row) => row.readBytes),
    writtenBytes: sum((row) => row.writtenBytes),
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readText(`/proc/${pid}/task/${pid}/children`)
  return (text ?? "")
    .split(" ")
    .filter((word) => word !== "")
    .map(Number)
}

async function readBootTime(): Promise<number> {
  const text = await readText("/proc/stat")
  return Number(/^btime (\d+)$/m.exec(text ?? "")?.[1] ?? Number.NaN)
}

async function readProcess(pid: number, bootSeconds: number): Promise<ProcessRow | undefined> {
  const stat = await readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // the second field is the program's name in parentheses and may hold anything; field 3 of proc(5) comes after the last parenthesis
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number)
  const field = (number: number) => fields[number - 3] ?? 0
  const io = (await readText(`/proc/${pid}/io`)) ?? "" // another user's processes do not show it
  return {
    startSeconds: bootSeconds + field(22) / ticksPerSecond,
    residentBytes: field(24) * pageBytes,
    virtualBytes: field(23),
    cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
    readBytes: Number(/^rchar: (\d+)$/m.exec(io)?.[1] ?? 0),
    writtenBytes: Number(/^wchar: (\d+)$/m.exec(io)?.[1] ?? 0),
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8")
  } catch {
    return undefined // the process has ended
  }
}

import { readFileSync } from "node:fs"
import { availableParallelism, networkInterfaces } from "node:os"
import type { Site } from "../render/site.ts"

/** What of `Site` this machine decides. */
export type Machine = Omit<Site, "paths" | "build" | "hasHttp2Directive">

/** Looks at the machine once. */
export function readMachine(): Machine {
  const user = process.getuid?.() === 0 ? workerAccount() : undefined
  return {
    ...(user && { user }),
    processors: Math.max(1, Math.min(availableParallelism(), Math.ceil(cpuQuota()))),
    memoryBytes: memoryLimit(),
    openFiles: openFiles(),
    backlog: Math.max(511, firstNumber("/proc/sys/net/core/somaxconn") ?? 0),
    hasIpv6: hasIpv6(),
  }
}

/** Whether any interface has an IPv6 address. */
export function hasIpv6(): boolean {
  return readText("/proc/net/if_inet6") !== ""
}

/** Of all interfaces; those of a Pod stay for its life. */
export function ownAddresses(): ReadonlySet<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)))
}

/** The account of Debian's web servers, or the one that owns nothing; undefined leaves it to nginx. */
function workerAccount(): Site["user"] {
  const groups = new Map(entriesOf("/etc/group").map(([name, , id]) => [id, name]))
  const accounts = entriesOf("/etc/passwd")
  for (const wanted of ["www-data", "nobody"]) {
    const group = groups.get(accounts.find(([name]) => name === wanted)?.[3])
    if (group) return { name: wanted, group }
  }
  return undefined
}

/** Processors that the control group grants, a fraction possible; Infinity without a limit. Source: cgroup v2 cpu.max, v1 cpu.cfs_quota_us. */
function cpuQuota(): number {
  const [quota, period] = readText("/sys/fs/cgroup/cpu.max").trim().split(" ").map(Number)
  if (quota && period) return quota / period
  const oldQuota = firstNumber("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") ?? -1
  const oldPeriod = firstNumber("/sys/fs/cgroup/cpu/cpu.cfs_period_us") ?? 0
  return oldQuota > 0 && oldPeriod > 0 ? oldQuota / oldPeriod : Number.POSITIVE_INFINITY
}

/** Bytes that the control group grants; Infinity without a limit. Source: cgroup v2 memory.max, v1 memory.limit_in_bytes, which has 2^63 less a page then. */
function memoryLimit(): number {
  const bytes =
    firstNumber("/sys/fs/cgroup/memory.max") ?? firstNumber("/sys/fs/cgroup/memory/memory.limit_in_bytes")
  return bytes !== undefined && bytes < 2 ** 60 ? bytes : Number.POSITIVE_INFINITY
}

/** The hard limit of open files, at most a million; unlimited is a million too. */
function openFiles(): number {
  const limit = /^Max open files\s+\S+\s+(\d+)/m.exec(readText("/proc/self/limits"))?.[1]
  return Math.min(1_048_576, Number(limit ?? 1_048_576))
}

function entriesOf(path: string): string[][] {
  return readText(path)
    .split("\n")
    .map((line) => line.split(":"))
}

function firstNumber(path: string): number | undefined {
  const text = readText(path).trim()
  return /^-?\d+/.test(text) ? Number.parseInt(text, 10) : undefined
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // this kernel does not say
  }
}

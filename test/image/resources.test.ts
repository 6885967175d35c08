// What the container's control group grants, and what a Pod takes of it when it has nothing to do.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { titleOf } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import { type Pod, startPod } from "./support/pod.ts"

let server: ApiServer

beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server?.stop())

/** What `kubectl top pod` shows, in MB: what the control group is charged, without pages of files that nobody has looked at lately. */
function workingSetMegabytes(pod: Pod): number {
  const [pid = 0] = pod.container.pids()
  const groups = readFileSync(`/proc/${pid}/cgroup`, "utf8")
  const [, old] = /^\d+:memory:(.*)$/m.exec(groups) ?? []
  const [, path = ""] = /^0::(.*)$/m.exec(groups) ?? []
  const folder = old === undefined ? `/sys/fs/cgroup${path}` : `/sys/fs/cgroup/memory${old}`
  const read = (file: string) => readFileSync(`${folder}/${file}`, "utf8")
  const usage = read(old === undefined ? "memory.current" : "memory.usage_in_bytes")
  const field = old === undefined ? "inactive_file" : "total_inactive_file"
  const [, inactive] = new RegExp(`^${field} (\\d+)$`, "m").exec(read("memory.stat")) ?? []
  return (Number(usage) - Number(inactive)) / 1e6
}

test("an idle Pod takes at most 150 MB", async () => {
  await using pod = await startPod(server, { resources: { cpu: { quota: 100_000, period: 100_000 } } })
  await pod.get()
  await until("the start to be over", () => workingSetMegabytes(pod) < 150)
})

test("workers are as many as the CPU limit, rounded up", async () => {
  await using pod = await startPod(server, { resources: { cpu: { quota: 50_000, period: 100_000 } } })
  expect(pod.container.pidsOf(/^nginx: worker process$/)).toHaveLength(1)
})

test("Node's heap may grow to half of the memory limit, its space for young objects hardly", async () => {
  await using pod = await startPod(server, { resources: { memory: { limit: 512 * 2 ** 20 } } })
  const [controller = 0] = pod.container.pidsOf(/^\/nginx-ingress-controller /)
  expect(titleOf(controller)).toContain(" --max-old-space-size=256 --max-semi-space-size=8 ")
})

test("zones of shared memory begin with no more than a quarter of it", async () => {
  await using pod = await startPod(server, { resources: { memory: { limit: 256 * 2 ** 20 } } })
  const { out } = await pod.container.exec("/usr/local/bin/wick", "conf")
  expect([...out.matchAll(/shm_kv (\w+) (\d+)m/g)].map(([, name, size]) => `${name} ${size}`)).toEqual([
    "backends 64",
    "routes 32",
    "certificates 64",
    "passthroughs 4",
  ])
})

test("so it is with control groups of version 2", async () => {
  const dir = mkdtempSync(join(tmpdir(), "wick-cgroup-"))
  chmodSync(dir, 0o755)
  writeFileSync(join(dir, "cpu.max"), "50000 100000\n")
  writeFileSync(join(dir, "memory.max"), `${384 * 2 ** 20}\n`)
  await using pod = await startPod(server, { mounts: { "/sys/fs/cgroup": dir } })
  expect(pod.container.pidsOf(/^nginx: worker process$/)).toHaveLength(1)
  expect(titleOf(pod.container.pidsOf(/^\/nginx-ingress-controller /)[0] ?? 0)).toContain("-size=192 ")
  rmSync(dir, { recursive: true })
})

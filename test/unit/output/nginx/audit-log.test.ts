import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { AuditLog, pruneAuditLog } from "../../../../controller/output/nginx/audit-log.ts"
import { until } from "../../../../harness/until.ts"

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wick-audit-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function write(path: string, bytes: number, minute: number): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, "x".repeat(bytes))
  await utimes(file, minute * 60, minute * 60)
}

const left = async () => (await readdir(folder, { recursive: true })).sort()

test("the oldest files go until the log is small enough, with the folders that are empty then", async () => {
  await write("20261127/20261127-0401/20261127-040101-a", 10_000, 1)
  await write("20261127/20261127-0402/20261127-040201-b", 10_000, 2)
  await write("20261127/20261127-0402/20261127-040202-c", 10_000, 3)
  expect(await pruneAuditLog(folder, 20_000)).toEqual({ files: 1, bytes: 10_000 })
  expect(await left()).toEqual([
    "20261127",
    "20261127/20261127-0402",
    "20261127/20261127-0402/20261127-040201-b",
    "20261127/20261127-0402/20261127-040202-c",
  ])
  expect(await pruneAuditLog(folder, 20_000)).toEqual({ files: 0, bytes: 0 })
})

test("a small file counts as the block that it takes", async () => {
  for (let at = 0; at < 10; at++) await write(`20261127/20261127-0401/20261127-0401-${at}`, 1, at)
  expect(await pruneAuditLog(folder, 5 * 4096)).toEqual({ files: 5, bytes: 5 * 4096 })
})

test("what is not of the log is left alone", async () => {
  await write("index.log", 100_000, 1)
  await write("other/20261127-0401", 100_000, 1)
  expect(await pruneAuditLog(folder, 1)).toEqual({ files: 0, bytes: 0 })
})

test("a folder that cannot be used is said, until it can", async () => {
  const missing = join(folder, "missing")
  await expect(pruneAuditLog(missing, 1)).rejects.toThrow(/no such file/)
  const ending = new AbortController()
  let changes = 0
  const changed = () => {
    changes += 1
  }
  const log = new AuditLog({ changed, signal: ending.signal, everyMs: 1 })
  expect(log.fault).toBeUndefined()
  log.follow(missing, 20_000)
  await until("the fault", () => log.fault)
  expect(log.fault).toMatch(/no such file/)
  await mkdir(missing)
  await write("missing/20261127/20261127-0401/20261127-0401-a", 30_000, 1)
  await until("its end", () => log.fault === undefined)
  await until("a log within its bounds", async () => (await readdir(missing)).length === 0)
  expect(changes).toBe(2)
  log.follow("", 0)
  expect(log.fault).toBeUndefined()
  ending.abort()
})

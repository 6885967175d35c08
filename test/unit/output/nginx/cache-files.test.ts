import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { CacheFiles } from "../../../../controller/output/nginx/cache-files.ts"

let parent: string
let dir: string
let failures: unknown[]
let files: CacheFiles

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "wick-kept-"))
  dir = join(parent, "kept")
  failures = []
  files = new CacheFiles(dir, (error) => failures.push(error))
})
afterEach(() => rmSync(parent, { recursive: true }))

test("what is kept is read again", async () => {
  expect(await files.read()).toEqual(new Map())
  for (let index = 0; index < 200; index += 1) await files.put(`c${index}`, `text ${index}`)
  const read = await files.read()
  expect([read.size, read.get("c7")]).toEqual([200, "text 7"])
  expect(failures).toEqual([])
})

test("only the controller's account reads it", async () => {
  await files.read()
  await files.put("a", "1")
  expect(statSync(dir).mode & 0o777).toBe(0o700)
  expect(statSync(join(dir, "a.json")).mode & 0o777).toBe(0o600)
})

test("the last text stays, and what was dropped is gone", async () => {
  await files.read()
  await Promise.all([files.put("a", "1"), files.put("a", "2"), files.put("b", "3"), files.remove("b")])
  await files.remove("never")
  expect(await files.read()).toEqual(new Map([["a", "2"]]))
  expect(failures).toEqual([])
})

test("what was not finished is thrown away", async () => {
  await files.read()
  writeFileSync(join(dir, "a.json.part"), "hal")
  expect(await files.read()).toEqual(new Map())
  expect(readdirSync(dir)).toEqual([])
})

test("what cannot be kept is told, and hurts nobody", async () => {
  await files.put("a", "1")
  expect(failures).toHaveLength(1)
  writeFileSync(dir, "a file in the place of the folder")
  expect(await files.read()).toEqual(new Map())
  expect(failures).toHaveLength(2)
})

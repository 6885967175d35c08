import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Staple } from "../../../controller/model/certificate.ts"
import { layoutOf } from "../../../controller/nginx/files.ts"
import { StapleFiles } from "../../../controller/nginx/staple-files.ts"

const layout = layoutOf(mkdtempSync(join(tmpdir(), "wick-staples-")))
let failures: unknown[]
let files: StapleFiles

beforeEach(() => {
  mkdirSync(layout.staples, { recursive: true })
  failures = []
  files = new StapleFiles(layout, (error) => failures.push(error))
})
afterEach(() => rmSync(layout.dir, { recursive: true }))

const staple = (certificate: string, untilMs = 2000): Staple => ({ certificate, response: "MIIB", untilMs })
const names = () => readdirSync(layout.staples).sort()

test("what is kept is read again, as long as it holds", async () => {
  for (let index = 0; index < 200; index += 1) await files.keep(staple(`c${index}`))
  await files.keep(staple("short", 1000))
  expect(statSync(join(layout.staples, "short.json")).mode & 0o777).toBe(0o600)
  const read = await files.read(1000)
  expect(read).toHaveLength(200)
  expect(read).toContainEqual(staple("c7"))
  expect(names()).not.toContain("short.json")
})

test("the last one stays, and what was dropped is gone", async () => {
  const done = [files.keep(staple("a", 2000)), files.keep(staple("a", 3000)), files.keep(staple("b"))]
  await Promise.all([...done, files.drop("b"), files.drop("never")])
  expect(await files.read(0)).toEqual([staple("a", 3000)])
  expect(failures).toEqual([])
})

test.each([
  ["half of a file", "a.json", '{"certificate":"a","resp'],
  ["a file of another name", "b.json", JSON.stringify(staple("a"))],
  ["what was not finished", "a.json.part", JSON.stringify(staple("a"))],
  ["a file without a time", "a.json", JSON.stringify({ certificate: "a", response: "MIIB" })],
  ["null", "a.json", "null"],
])("%s is thrown away", async (_, name, text) => {
  writeFileSync(join(layout.staples, name), text)
  expect(await files.read(0)).toEqual([])
  expect(names()).toEqual([])
})

test("a folder that is not there is told, and hurts nobody", async () => {
  rmSync(layout.staples, { recursive: true })
  expect(await files.read(0)).toEqual([])
  await files.keep(staple("a"))
  expect(failures).toHaveLength(2)
})

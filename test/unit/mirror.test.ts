// test/unit mirrors what it tests: the tests of a folder are found without a search.
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"

const folders = readdirSync(join(root, "test/unit"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "test/unit/").length))

test("a folder of tests has the path of the folder it tests, in controller/ or at the top", () => {
  const lost = folders.filter(
    (folder) => !["controller", "."].some((at) => existsSync(join(root, at, folder))),
  )
  expect(folders).toContain("core/translate")
  expect(lost).toEqual([])
})

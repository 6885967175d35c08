import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../../../harness/paths.ts"
import { longest } from "../../../support/longest-first.ts"

test("the files that begin first are there", () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

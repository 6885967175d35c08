import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { longest } from "../../../support/longest-first.ts"
import { root } from "../../../support/paths.ts"

test("the files that begin first are there", () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

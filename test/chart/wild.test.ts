// Values files as teams have them for ingress-nginx: what they change about what is installed without any.
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { expect, test } from "vitest"
import { difference } from "./support/difference.ts"
import { renderAll } from "./support/helm.ts"

const files = globSync(join(import.meta.dirname, "wild/*.yaml")).sort()
const [plain, ...renderings] = renderAll([
  {},
  ...files.map((file) => ({ values: readFileSync(file, "utf8") })),
])

test.each(files.map((file, index) => ({ name: basename(file, ".yaml"), index })))("$name", async ({
  name,
  index,
}) => {
  const rendering = renderings[index]
  if (plain === undefined || rendering === undefined) throw new Error("not rendered")
  expect(rendering.error).toBe("")
  await expect(`${difference(plain, rendering).join("\n")}\n`).toMatchFileSnapshot(`wild/${name}.txt`)
})

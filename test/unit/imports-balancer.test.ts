// Who may import whom in balancer-as/: nobody whom he is imported by.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { circles } from "../support/imports.ts"
import { root } from "../support/paths.ts"

const assembly = join(root, "balancer-as/assembly")
const files = readdirSync(assembly, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
)

const imports = files.flatMap((from) => {
  const named = readFileSync(join(assembly, from), "utf8").matchAll(
    /^(?:import|export)\b[^"']*?\sfrom "([^"]+)"/gm,
  )
  return [...named].map(([, name = ""]) => ({ from, to: `${join(dirname(from), name)}.ts` }))
})

test("the imports are found, and each names a file", () => {
  expect(imports.length).toBeGreaterThan(files.length)
  expect(imports.filter(({ to }) => !files.includes(to))).toEqual([])
})

test("no files import each other in a circle", () => {
  expect(circles(imports)).toEqual([])
})

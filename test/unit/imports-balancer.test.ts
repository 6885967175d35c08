// Who may import whom in what becomes the filter and policies: nobody whom he is imported by.
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { circles } from "../support/imports.ts"

const files = globSync("{balancer-as,policy-as}/assembly/**/*.ts", { cwd: root })

const imports = files.flatMap((from) => {
  const named = readFileSync(join(root, from), "utf8").matchAll(
    /^(?:import|export)\b[^"']*?\sfrom "([^"]+)"/gm,
  )
  // Bare names are those of the package, in the entry that is compiled beside a policy.
  return [...named]
    .filter(([, name = ""]) => name.startsWith("."))
    .map(([, name = ""]) => ({ from, to: `${join(dirname(from), name)}.ts` }))
})

test("the imports are found, and each names a file", () => {
  expect(imports.length).toBeGreaterThan(files.length)
  expect(imports.filter(({ to }) => !files.includes(to))).toEqual([])
})

test("no files import each other in a circle", () => {
  expect(circles(imports)).toEqual([])
})

test("of the policies' package the filter imports what knows no policy, which knows neither of them", () => {
  const lib = "policy-as/assembly/lib/"
  const isOfFilter = (file: string) => file.startsWith("balancer-as/")
  const isOfLib = (file: string) => file.startsWith(lib)
  expect(imports.filter(({ from, to }) => isOfFilter(from) && !isOfFilter(to) && !isOfLib(to))).toEqual([])
  expect(imports.filter(({ from, to }) => !isOfFilter(from) && isOfFilter(to))).toEqual([])
  expect(imports.filter(({ from, to }) => isOfLib(from) && !isOfLib(to))).toEqual([])
})

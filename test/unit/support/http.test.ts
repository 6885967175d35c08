import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { importsOf, sources } from "../../support/imports.ts"

// Node's client of fetch takes 6 MB in a controller that is to have 80.

/** Whether Node has loaded it when a module has been imported. */
function loadsFetch(module: string): boolean {
  const code = `await import(${JSON.stringify(module)}); console.log(process.moduleLoadList.some((name) => name.includes("undici")))`
  return execFileSync(nodeBinary, ["--input-type=module", "-e", code], { encoding: "utf8" }) === "true\n"
}

describe("HTTP", () => {
  test("comes without Node's client of fetch, which an import of node:http brings", () => {
    expect(loadsFetch(join(root, "controller/support/http.ts"))).toBe(false)
    expect(loadsFetch("node:http")).toBe(true)
  })

  test("is taken from support/http.ts by all that runs in the Pod", () => {
    const all = sources().filter((file) => !file.startsWith("cli/") && !file.startsWith("ui/page/"))
    const importing = all.filter((file) =>
      importsOf(file).some(({ to, isType }) => to === "node:http" && !isType),
    )
    expect(importing).toEqual(["support/http.ts"])
  })
})

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../../harness/paths.ts"
import { startWick } from "../../../harness/wick.ts"

/** What the launcher says to glibc, by its own source. */
const launcher = readFileSync(join(root, "launcher/src/memory.rs"), "utf8")
const said = Object.fromEntries(
  [...launcher.matchAll(/\("(MALLOC_\w+)", "(\d+)"\)/g)].map(([, name = "", value]) => [name, value]),
) as Readonly<Record<string, string>>

test("nginx hears nothing of what the launcher tells the controller's allocator", async () => {
  await using wick = await startWick({ env: said })
  const heard = (pid = 0) => readFileSync(`/proc/${pid}/environ`, "utf8").match(/MALLOC_\w+=\d+/g) ?? []
  expect(heard(wick.pid)).toHaveLength(3)
  expect(heard(wick.nginxPid)).toEqual([])
})

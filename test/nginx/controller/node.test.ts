// What Node is told for the controller, and does beside it, is nothing of nginx's.
import { readdirSync, readFileSync } from "node:fs"
import { getPriority } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { root } from "../../../harness/paths.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

/** What the launcher says to glibc, by its own source. */
const launcher = readFileSync(join(root, "launcher/src/memory.rs"), "utf8")
const said = Object.fromEntries(
  [...launcher.matchAll(/\("(MALLOC_\w+)", "(\d+)"\)/g)].map(([, name = "", value]) => [name, value]),
) as Readonly<Record<string, string>>

let wick: Wick

beforeAll(async () => {
  wick = await startWick({ env: said })
})
afterAll(() => wick?.stop())

test("nginx hears nothing of what the launcher tells the controller's allocator", () => {
  const heard = (pid = 0) => readFileSync(`/proc/${pid}/environ`, "utf8").match(/MALLOC_\w+=\d+/g) ?? []
  expect(heard(wick.pid)).toHaveLength(3)
  expect(heard(wick.nginxPid)).toEqual([])
})

/** The names of its threads that run only while nothing else wants the processor, and of the others. */
function threadsOf(pid: number): { readonly yielding: Set<string>; readonly others: Set<string> } {
  const all = readdirSync(`/proc/${pid}/task`).map((thread) => ({
    name: readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8").trim(),
    isYielding: getPriority(Number(thread)) > getPriority(),
  }))
  const named = (isYielding: boolean) =>
    new Set(all.filter((thread) => thread.isYielding === isYielding).map(({ name }) => name))
  return { yielding: named(true), others: named(false) }
}

test("V8's helpers yield to the controller, and neither its other threads nor nginx do", () => {
  const { yielding, others } = threadsOf(wick.pid)
  expect([...yielding]).toEqual(["V8Worker"])
  expect(others).not.toContain("V8Worker")
  for (const pid of [wick.nginxPid ?? 0, ...wick.workers()])
    expect(threadsOf(pid).yielding).toEqual(new Set())
})

// The examples do what they say: their own tests pass, and so does the check of every policy.
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { nodeBinary, root } from "../../harness/paths.ts"

const examples = join(root, "examples/policies")
const inAssemblyScript = readdirSync(examples).filter((name) => existsSync(join(examples, name, "policy.ts")))

/** `wick policy …`, what it prints and its exit code. */
function wick(...words: string[]) {
  const env = { ...process.env, NO_COLOR: "1", NODE_TEST_CONTEXT: undefined }
  const options = { encoding: "utf8", cwd: root, env } as const
  const { status, stdout, stderr } = spawnSync(
    nodeBinary,
    [join(root, "controller/main.ts"), "policy", ...words],
    options,
  )
  return { status, said: stdout + stderr }
}

test("there are four in AssemblyScript", () => {
  expect(inAssemblyScript).toEqual(["customer-canary", "jwt-affinity", "load-report", "zone-spill-over"])
})

describe.for([...inAssemblyScript, "../../policy-as/starter"])("%s", (name) => {
  const folder = join(examples, name)

  test("passes its own tests", () => {
    const { status, said } = wick("test", folder)
    expect(status, said).toBe(0)
    expect(said).toMatch(/pass [1-9]/)
  })

  test("passes the check", () => {
    const { status, said } = wick("check", folder)
    expect(said).not.toContain("FAILED")
    expect(status, said).toBe(0)
  })
})

const has = (program: string, ...words: string[]) => spawnSync(program, words).status === 0
/** What compiles them may be absent: nothing else needs it. */
const compilers = {
  "round-robin-c": () => has("clang", "--version") && has("wasm-ld", "--version"),
  "round-robin-rust": () => has("rustup", "target", "add", "wasm32-unknown-unknown"),
} as const

test.for(Object.entries(compilers))("%s compiles and passes the check", ([name, isThere], { skip }) => {
  if (!isThere()) skip()
  execFileSync(join(examples, name, "build.sh"))
  const { status, said } = wick("check", join(examples, name, "build/policy.wasm"))
  expect(said).not.toContain("FAILED")
  expect(status, said).toBe(0)
})

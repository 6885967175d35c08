// The folder of compiled policies, and the program that fills it. The program is a script here: what it says is what counts.
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { PolicyFiles } from "../../../../controller/output/nginx/policy-files.ts"
import { until } from "../../../../harness/until.ts"

const digest = "a".repeat(64)
const bytes = Buffer.from("module")
let dir: string
let program: string
let failures: unknown[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "policy-files-"))
  program = join(dir, "wick-policy")
  failures = []
})

afterEach(() => rm(dir, { recursive: true }))

/** @param script what the program does with $2, the module, and $3, the file to write */
async function installed(script: string): Promise<void> {
  await writeFile(program, `#!/bin/sh\n${script}\n`)
  await chmod(program, 0o755)
}

interface Other {
  readonly build?: string
  readonly program?: string | undefined
  readonly isForOthers?: boolean
  readonly graceMs?: number
}

function open(options: Other = {}) {
  return PolicyFiles.open<{ note: string }>({
    layout: { policies: dir, policyState: join(dir, "state.json") },
    program,
    build: "b1",
    isForOthers: false,
    failed: (error) => failures.push(error),
    signal: new AbortController().signal,
    ...options,
  })
}

const names = async () => (await readdir(dir)).filter((name) => name !== "wick-policy").sort()

describe("the program", () => {
  test("reads the module and writes what nginx loads", async () => {
    await installed(`cp "$2" "$3"; printf '{"digest":"${digest}","abiVersion":1,"needs":255}\\n'`)
    expect(await (await open()).compile(digest, bytes)).toEqual({ kind: "compiled", digest, needs: 31 })
    expect(await names()).toEqual([`${digest}.cwasm`])
    expect(await readFile(join(dir, `${digest}.cwasm`), "utf8")).toBe("module")
  })

  test("says what is wrong with a module; its words are one line, and not endless", async () => {
    await installed(
      `printf '{"problem":"It imports \\\\"env.\\\\u001b[31m%s\\\\""}' "$(printf 'x%.0s' $(seq 999))"; exit 2`,
    )
    const said = await (await open()).compile(digest, bytes)
    expect(said).toEqual({ kind: "refused", reason: expect.stringMatching(/^it imports "env. \[31mx+…$/) })
    expect(await names()).toEqual([])
  })

  test.each([
    ["is killed", "kill -9 $$", /ended with SIGKILL/],
    ["crashes", "echo 'out of memory' >&2; exit 101", /ended with exit code 101: out of memory$/],
    ["says nothing", "exit 0", /gave no answer/],
    ["says something else", "echo '[]'; exit 2", /gave no answer/],
    ["read another module", `echo '{"digest":"${"b".repeat(64)}","needs":0}'`, /read another module/],
  ])("that %s has said nothing about the module", async (_, script, reason) => {
    await installed(script)
    expect(await (await open()).compile(digest, bytes)).toEqual({
      kind: "failed",
      reason: expect.stringMatching(reason),
    })
  })

  test("that is not there is said", async () => {
    expect(await (await open()).compile(digest, bytes)).toMatchObject({ kind: "failed" })
    expect(await (await open({ program: undefined })).compile(digest, bytes)).toEqual({
      kind: "failed",
      reason: "the program wick-policy, which compiles it, is not installed",
    })
  })

  test("is not asked for what workers could not reach, and a group's folder is open enough", async () => {
    await installed(`printf '{"digest":"${digest}","needs":0}'`)
    await chmod(dir, 0o700)
    const files = await open({ isForOthers: true })
    expect(await files.compile(digest, bytes)).toEqual({
      kind: "failed",
      reason: `nginx's workers are another user and cannot reach "${dir}": chmod 711 it`,
    })
    await chmod(dir, 0o710)
    expect(await files.compile(digest, bytes)).toMatchObject({ kind: "compiled" })
  })

  test("sees nothing of our environment", async () => {
    process.env.WICK_TEST_SECRET = "s"
    await installed(`printf '{"problem":"%s"}' "[$WICK_TEST_SECRET]"; exit 2`)
    expect(await (await open()).compile(digest, bytes)).toEqual({ kind: "refused", reason: "[]" })
    delete process.env.WICK_TEST_SECRET
  })
})

describe("the next start", () => {
  test("finds what was compiled and remembered; what was not finished is removed", async () => {
    const files = await open()
    void files.remember({ note: "n" })
    await until("the state", async () => (await names()).includes("state.json"))
    await writeFile(join(dir, `${digest}.cwasm`), "c")
    await writeFile(join(dir, `${digest}.wasm`), "m")
    const next = await open()
    expect([next.compiled, next.state]).toEqual([new Set([digest]), { note: "n" }])
    expect(await names()).toEqual([`${digest}.cwasm`, "state.json"])
  })

  test("counts on nothing that another build has compiled", async () => {
    const files = await open()
    void files.remember({ note: "n" })
    await until("the state", async () => (await names()).includes("state.json"))
    await writeFile(join(dir, `${digest}.cwasm`), "c")
    const next = await open({ build: "b2" })
    expect([next.compiled.size, next.state]).toEqual([0, undefined])
  })
})

test("files that nobody wants are removed after a while, those that are wanted again stay", async () => {
  const [one, two] = ["1".repeat(64), "2".repeat(64)]
  await writeFile(join(dir, `${one}.cwasm`), "1")
  await writeFile(join(dir, `${two}.cwasm`), "2")
  const files = await open({ graceMs: 50 })
  files.keepOnly(new Set())
  files.keepOnly(new Set([one]))
  await until("the end of one file", async () => (await names()).length === 1)
  expect([await names(), failures]).toEqual([[`${one}.cwasm`], []])
})

import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ruleSetOf } from "../../../../controller/model/rule-set.ts"
import { RuleSetFiles } from "../../../../controller/output/nginx/rule-set-files.ts"
import { until } from "../../../../harness/until.ts"

let dir: string
const good = ruleSetOf([{ text: "SecMarker GOOD" }])
const bad = ruleSetOf([{ text: "SecMarker BAD" }])

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "wick-rule-sets-"))
})
afterEach(() => rm(dir, { recursive: true }))

/** Stands in for wick-waf: a shell script. `$file` is each set that it is asked about. */
async function open(each: string, options: { readonly build?: string; readonly graceMs?: number } = {}) {
  const program = join(dir, "wick-waf")
  await writeFile(
    program,
    `#!/bin/sh\necho "$*" >> ${dir}/asked\nshift\nif [ "$1" = --library ]; then shift 2; fi\nfor file; do ${each}; done\n`,
  )
  await chmod(program, 0o755)
  return RuleSetFiles.open<string>({
    layout: { modsecurity: dir, modsecurityState: join(dir, "state.json") },
    places: { program, files: dir, library: "/x/lib.so", build: options.build ?? "one" },
    failed: (error) => {
      throw error
    },
    signal: new AbortController().signal,
    ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
  })
}

const verdicts = `if grep -q BAD "$file"; then echo '{"file":"'$file'","ok":false,"part":0,"line":1,"error":"Rules error. File: <<none>>. Line: 1. Column: 3. Expecting x,\\\\n BAD"}'; else echo '{"file":"'$file'","ok":true,"rules":1}'; fi`

test("a set is written under its digest, for workers of another account, and checked", async () => {
  const files = await open(verdicts)
  const found = await files.check([good, bad])
  expect(found.get(good.digest)).toEqual({ kind: "accepted" })
  expect(found.get(bad.digest)).toEqual({ kind: "refused", part: 0, line: 1, reason: "expecting x,  BAD" })
  const path = join(dir, `${good.digest}.json`)
  expect(await readFile(path, "utf8")).toBe('{"parts":[{"text":"SecMarker GOOD"}]}')
  expect((await stat(path)).mode & 0o777).toBe(0o644)
  const asked = await readFile(join(dir, "asked"), "utf8")
  expect(asked).toBe(`check --library /x/lib.so ${path} ${join(dir, `${bad.digest}.json`)}\n`)
})

test("a library that is not there says nothing about rules", async () => {
  const files = await open(`echo '{"library":false,"error":"libmodsecurity.so.3: cannot open"}'; exit 0`)
  expect(await files.check([good])).toEqual(
    new Map([[good.digest, { kind: "absent", reason: "libmodsecurity.so.3: cannot open" }]]),
  )
})

test("neither does a file of rules that is not there", async () => {
  const files = await open(verdicts)
  const set = ruleSetOf([{ file: "/no/such/recommended.conf" }])
  expect((await files.check([set])).get(set.digest)).toEqual({
    kind: "absent",
    reason: 'there is no file "/no/such/recommended.conf"; --modsecurity-files says where they are',
  })
})

test("a program that ends at a set has the others checked all the same", async () => {
  const other = ruleSetOf([{ text: "SecMarker OTHER" }])
  const files = await open(`if grep -q BAD "$file"; then kill -9 $$; fi; ${verdicts}`)
  const found = await files.check([good, bad, other])
  expect([good, bad, other].map(({ digest }) => found.get(digest)?.kind)).toEqual([
    "accepted",
    "refused",
    "accepted",
  ])
})

test("a program that says nothing at all is as none", async () => {
  const files = await open("exit 3")
  expect((await files.check([good])).get(good.digest)).toMatchObject({ kind: "absent" })
})

test("what was accepted is known at the next start, by the same build only", async () => {
  const files = await open(verdicts)
  await files.check([good, bad])
  await files.remember("state")
  const next = await open(verdicts)
  expect([...next.accepted]).toEqual([good.digest])
  expect(next.state).toBe("state")
  const other = await open(verdicts, { build: "two" })
  expect([...other.accepted]).toEqual([])
  expect(other.state).toBeUndefined()
})

test("files that nobody wants are removed after a while, unless somebody wants them again", async () => {
  const files = await open(verdicts, { graceMs: 1 })
  await files.check([good, bad])
  files.keepOnly(new Set([good.digest]))
  await until("the file is gone", async () => !(await readdir(dir)).includes(`${bad.digest}.json`))
  expect(await readdir(dir)).toContain(`${good.digest}.json`)
})

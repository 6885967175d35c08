import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { root } from "../../../harness/paths.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-setup-"))
afterAll(() => rmSync(dir, { recursive: true }))

const build = join(dir, "build")
mkdirSync(build)
for (const file of ["setup.sh", "lib.sh", "versions.env"])
  copyFileSync(join(root, "build", file), join(build, file))

const steps = ["packages", "node-modules", "nginx", "brotli", "modsecurity", "balancer", "modules"]

/** What build/setup.sh prints and how it ends when each step only says its name, or does what `scripts` has for it. */
function setUp(scripts: Readonly<Record<string, string>> = {}): { status: number | null; lines: string[] } {
  for (const step of steps)
    writeFileSync(join(build, `${step}.sh`), `#!/bin/sh\n${scripts[step] ?? `echo ${step} >&2`}\n`, {
      mode: 0o755,
    })
  const { status, stderr } = spawnSync(join(build, "setup.sh"), { encoding: "utf8" })
  return { status, lines: stderr.trimEnd().split("\n") }
}

const inOrder = (lines: readonly string[], wanted: readonly string[]) =>
  expect(lines.filter((line) => wanted.includes(line))).toEqual(wanted)

test("all steps run, each after those that it needs", () => {
  const { status, lines } = setUp()
  expect(status).toBe(0)
  expect(lines).toEqual(expect.arrayContaining(steps))
  inOrder(lines, ["node-modules", "balancer", "modules"])
  inOrder(lines, ["packages", "nginx", "brotli", "modsecurity", "modules"])
})

test("Node and nginx are fetched side by side", () => {
  const met = (own: string, other: string) =>
    `touch '${dir}/${own}'; for attempt in $(seq 1200); do [ -f '${dir}/${other}' ] && exit; sleep 0.1; done; exit 1`
  expect(setUp({ "node-modules": met("node", "nginx"), nginx: met("nginx", "node") }).status).toBe(0)
})

test.each(steps)("nothing is compiled when %s fails, and its words are told", (step) => {
  const { status, lines } = setUp({ [step]: `echo 'wick: no ${step}' >&2; exit 3` })
  expect(status).toBe(3)
  expect(lines).toContain(`wick: no ${step}`)
  expect(lines).not.toContain("modules")
})

// What a release packs is the same wherever it is packed, and is what those expect who unpack it.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { parse } from "yaml"
import { krewManifest } from "../../../build/release/krew.ts"
import { root } from "../../../harness/paths.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-packed-"))
afterAll(() => rmSync(dir, { recursive: true }))

function pack(name: string, ...what: readonly string[]): Buffer {
  const file = join(dir, name)
  const env = { ...process.env, SOURCE_DATE_EPOCH: "1700000000" }
  execFileSync(join(root, "build/pack.sh"), [file, ...what], { env })
  return readFileSync(file)
}
const entries = (name: string) =>
  execFileSync("tar", ["--list", "--file", join(dir, name)], { encoding: "utf8" })

test("the chart, from two folders with two times", () => {
  cpSync(join(root, "deploy/chart"), join(dir, "chart"), { recursive: true })
  utimesSync(join(dir, "chart/Chart.yaml"), new Date(0), new Date(0))
  const packed = pack("one.tgz", "--directory", join(root, "deploy"), "chart")
  expect(pack("two.tgz", "--directory", dir, "chart").equals(packed)).toBe(true)
  expect(entries("one.tgz")).toMatch(/^wick\/Chart\.yaml$/m)
})

test("the plugin, with a manifest for krew that names what is in it", () => {
  const deploy = join(root, "deploy")
  const packed = pack("plugin.tar.gz", "--directory", deploy, "kubectl-wick", "--directory", root, "LICENSE")
  expect(entries("plugin.tar.gz").trim().split("\n")).toEqual(["kubectl-wick", "LICENSE"])
  const { spec } = parse(krewManifest("1.2.3", packed))
  expect(spec).toMatchObject({
    version: "v1.2.3",
    platforms: [{ sha256: createHash("sha256").update(packed).digest("hex"), bin: "kubectl-wick" }],
  })
  expect(spec.shortDescription.length).toBeLessThanOrEqual(80)
})

// The image's digest says what is in it, and nothing of who made it, where and when.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { writeArchive } from "../../../build/release/archive.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-archive-"))
afterAll(() => rmSync(dir, { recursive: true }))

const config = {
  User: "101:82",
  Env: ["A=b"],
  Labels: { "org.opencontainers.image.title": "wick", "io.buildah.version": "1" },
}

/** Files in this order, made at this time. */
function folder(name: string, order: readonly string[], time: Date): string {
  const root = join(dir, name)
  mkdirSync(join(root, "etc"), { recursive: true })
  for (const file of order) writeFileSync(join(root, file), file)
  chmodSync(join(root, "b"), 0o755)
  symlinkSync("b", join(root, "link"))
  linkSync(join(root, "b"), join(root, "etc/hard"))
  for (const file of [...order, "etc"]) utimesSync(join(root, file), time, time)
  return root
}

const archive = (root: string, more: object = {}) =>
  writeArchive({
    ...{ root, config, file: join(dir, "image.tar"), name: "wick/controller:1.0.0" },
    ...{ epoch: 1_700_000_000, architecture: "amd64", ...more },
  })
const entries = (file: string) =>
  execFileSync("tar", ["--list", "--verbose", "--file", file, "--utc"], { encoding: "utf8" })

test("two folders, two dates and two orders have one digest", () => {
  const one = archive(folder("one", ["a", "b", "etc/c"], new Date("2026-01-01")))
  const archiveOfOne = execFileSync("sha256sum", [join(dir, "image.tar")], { encoding: "utf8" })
  const other = archive(folder("other/below", ["etc/c", "b", "a"], new Date("2027-02-03")))
  expect(other).toBe(one)
  expect(execFileSync("sha256sum", [join(dir, "image.tar")], { encoding: "utf8" })).toBe(archiveOfOne)
})

test("contents, modes, links and what it runs are part of it", () => {
  const root = folder("plain", ["a", "b", "etc/c"], new Date("2026-01-01"))
  const before = archive(root)
  const changed = (name: string, change: (copy: string) => void) => {
    const copy = join(dir, name)
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
    change(copy)
    return archive(copy)
  }
  const digests = [
    before,
    changed("contents", (copy) => writeFileSync(join(copy, "a"), "other")),
    changed("mode", (copy) => chmodSync(join(copy, "a"), 0o755)),
    changed("missing", (copy) => rmSync(join(copy, "link"))),
    archive(root, { config: { ...config, User: "0" } }),
    archive(root, { epoch: 1_700_000_001 }),
  ]
  expect(new Set(digests).size).toBe(digests.length)
  expect(archive(root, { config: { ...config, Labels: { "org.opencontainers.image.title": "wick" } } })).toBe(
    before,
  )
})

test("it is an image layout with one layer of files as they are", () => {
  archive(folder("layout", ["a", "b", "etc/c"], new Date("2026-01-01")))
  const layout = join(dir, "unpacked")
  mkdirSync(layout)
  execFileSync("tar", ["--extract", "--file", join(dir, "image.tar"), "--directory", layout])
  const read = (path: string) => JSON.parse(execFileSync("cat", [join(layout, path)], { encoding: "utf8" }))
  const blob = ({ digest }: { digest: string }) => `blobs/sha256/${digest.slice(7)}`
  const manifest = read(blob(read("index.json").manifests[0]))
  expect(read(blob(manifest.config))).toMatchObject({
    architecture: "amd64",
    os: "linux",
    config: { User: "101:82" },
  })
  const listed = entries(join(layout, blob(manifest.layers[0])))
  expect(listed).toMatch(/^-rwxr-xr-x 0\/0 .* 2023-11-14 22:13 \.\/b$/m)
  expect(listed).toContain("./link -> b")
})

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { isVersion, notesOf, places, released, versionAt } from "../../../build/release/version.ts"
import { root } from "../../../harness/paths.ts"

test("one version stands everywhere", () => {
  const versions = new Set(places.map(versionAt))
  expect([...versions]).toHaveLength(1)
  expect([...versions].every(isVersion)).toBe(true)
})

test.each(["1.2.3", "0.1.0", "10.20.30-rc.1", "1.0.0-alpha"])("%s is a version", (text) =>
  expect(isVersion(text)).toBe(true))
test.each([
  "",
  "1.2",
  "v1.2.3",
  "01.2.3",
  "1.2.3-",
  "1.2.3+build",
  "1.2.3 ",
  "1.2.3-rc..1",
])("%j is none", (text) => expect(isVersion(text)).toBe(false))

describe("the changelog", () => {
  const before = "# Changes\n\n## Unreleased\n\n- New.\n- Newer.\n\n## 1.0.0 (2026-01-02)\n\n- Old.\n"

  test("gets a heading for what has changed", () => {
    expect(released(before, "1.1.0", "2026-02-03")).toEqual({
      changelog:
        "# Changes\n\n## Unreleased\n\n## 1.1.0 (2026-02-03)\n\n- New.\n- Newer.\n\n## 1.0.0 (2026-01-02)\n\n- Old.\n",
      notes: "- New.\n- Newer.",
    })
  })

  test("begins with the first version", () => {
    expect(released("# Changes\n\n## Unreleased\n\n- New.\n", "0.1.0", "2026-02-03").changelog).toBe(
      "# Changes\n\n## Unreleased\n\n## 0.1.0 (2026-02-03)\n\n- New.\n",
    )
  })

  test("has no version twice, and none without changes", () => {
    expect(() => released(before, "1.0.0", "2026-02-03")).toThrow("has a version 1.0.0 already")
    const { changelog } = released(before, "1.1.0", "2026-02-03")
    expect(() => released(changelog, "1.2.0", "2026-02-04")).toThrow("nothing under")
  })

  test("tells the changes of one version again", () => {
    expect(notesOf(before, "1.0.0")).toBe("- Old.")
    expect(notesOf(released(before, "1.1.0", "2026-02-03").changelog, "1.1.0")).toBe("- New.\n- Newer.")
    expect(() => notesOf(before, "1.1.0")).toThrow("has no version 1.1.0")
  })

  test("has a section for each tag, and its latest one is of the version that stands everywhere", () => {
    const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8")
    const sections = [...changelog.matchAll(/^## (\S+) \(\d{4}-\d\d-\d\d\)$/gm)].map(([, version]) => version)
    const tags = execFileSync("git", ["tag", "--list", "v*"], { cwd: root, encoding: "utf8" }).split("\n")
    expect(tags.filter((tag) => tag !== "" && !sections.includes(tag.slice(1)))).toEqual([])
    if (sections.length > 0) expect(versionAt(places[0] as (typeof places)[number])).toBe(sections[0])
  })

  test("of this project has a place for what comes next", () => {
    expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toMatch(/^# Changes\n\n## Unreleased\n/)
  })
})

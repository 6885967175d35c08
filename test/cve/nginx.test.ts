// Advisories of nginx itself are about directives. Those that can be done without stand in no template, and text of users comes into no configuration (injection.test.ts).
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../support/paths.ts"

const files = globSync("nginx/templates/**/*.liquid", { cwd: root })
const lines = files
  .flatMap((file) => readFileSync(join(root, file), "utf8").split("\n"))
  .map((line) => line.trim())

/** Lines that have one of these as a word of a directive. */
const named = (...names: readonly string[]) =>
  lines.filter(
    (line) => !line.startsWith("#") && names.some((name) => new RegExp(`\\b${name}\\b`).test(line)),
  )

test("there are templates to look at", () => {
  expect(named("proxy_pass").length).toBeGreaterThan(0)
  expect(named("location").length).toBeGreaterThan(5)
})

describe("stands in no template:", () => {
  test("CVE-2026-42945, CVE-2026-9256: rewrite with captures", () =>
    expect(lines.filter((line) => /^rewrite\b.*[$(]/.test(line))).toEqual([]))
  test("CVE-2026-15176, CVE-2026-93479: alias", () => expect(named("alias")).toEqual([]))
  test("CVE-2026-42926: proxy_set_body", () => expect(named("proxy_set_body")).toEqual([]))
  test("CVE-2026-42530, CVE-2026-40460, CVE-2026-95101: HTTP/3", () =>
    expect(named("quic", "http3")).toEqual([]))
  test("CVE-2026-42533: a map whose values have captures of a pattern", () => {
    expect(lines.filter((line) => /^"?~/.test(line) && /\$\d/.test(line))).toEqual([])
  })
})

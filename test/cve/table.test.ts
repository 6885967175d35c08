// docs/security.md lists what is tried here, and nothing else.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { mended, mendedInHttp3, unprinted } from "./advisories.ts"
import { attacks } from "./attacks.ts"

const read = (file: string) => readFileSync(join(root, file), "utf8")
const identifiers = (text: string) => [...text.matchAll(/CVE-\d{4}-\d+/g)].map(([cve]) => cve)

test("every CVE of ingress-nginx and of nginx that the page lists is tried by name, and every one that is tried stands there", () => {
  const tried = globSync("test/cve/{access,reading,webhook}.test.ts", { cwd: root }).flatMap((file) =>
    identifiers(read(file)),
  )
  const listed = [
    ...attacks.map(({ cve }) => cve),
    ...[...unprinted, ...mended, ...mendedInHttp3].flatMap(({ cves }) => cves),
  ]
  const all = new Set([...tried, ...listed.map((cve) => `CVE-${cve}`)])
  // Of the first two the page names the test, which knows them by what they do; of the others it says that no package is known to have them mended.
  const elsewhere = ["CVE-2025-23419", "CVE-2026-97629", "CVE-2026-42530", "CVE-2026-90439"]
  expect([...new Set(identifiers(read("docs/security.md")))].sort()).toEqual([...all, ...elsewhere].sort())
})

test("there are twenty-two of ingress-nginx", () => {
  const [, section = ""] = /## The CVEs of ingress-nginx\n(.*?)\n## /s.exec(read("docs/security.md")) ?? []
  expect(new Set(identifiers(section)).size).toBe(22)
})

test("every test that the page names is there", () => {
  const named = [...read("docs/security.md").matchAll(/`((?:test|bench)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((path) => globSync(`${path}{,.test.ts,.sh}`, { cwd: root }).length === 0)).toEqual([])
})

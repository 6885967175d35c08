// Advisories of nginx itself are about directives. Those that can be done without stand in no template, and text of users comes into no configuration
// (injection.test.ts). Of the others the fix has to be in the nginx that is built for.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { compileSnippet } from "../../controller/core/snippets/compile.ts"
import { rows } from "../../controller/core/snippets/table.ts"
import { isAtLeast, nginxTraits } from "../../controller/output/nginx/version.ts"
import { nginxBinary, root } from "../../harness/paths.ts"
import { mended, mendedInHttp3, unprinted } from "./advisories.ts"

const lines = globSync("nginx/templates/**/*.liquid", { cwd: root })
  .flatMap((file) => readFileSync(join(root, file), "utf8").split("\n"))
  .map((line) => line.trim())
  .filter((line) => !line.startsWith("#"))

/** Lines that match, or have one of the names as a word. */
function found(what: RegExp | readonly string[]): readonly string[] {
  const pattern = what instanceof RegExp ? what : new RegExp(`(?<![\\w-])(?:${what.join("|")})(?![\\w-])`)
  return lines.filter((line) => pattern.test(line))
}

test("there are templates to look at", () => {
  expect(found(["proxy_pass"]).length).toBeGreaterThan(0)
  expect(found(["location"]).length).toBeGreaterThan(5)
})

test.each(
  unprinted.map((it) => [it.cves.map((cve) => `CVE-${cve}`).join(", "), it.what, it.line] as const),
)("%s: %s stands in no template", (_cves, _what, line) => expect(found(line)).toEqual([]))

const mendedCves = new Set(mended.flatMap(({ cves }) => cves))
const unmended = unprinted.filter(({ cves }) => !cves.every((cve) => mendedCves.has(cve)))

/** HTTP/2 to backends, which the advisory is about, no snippet may say. */
const harmlessHere: ReadonlySet<string> = new Set(["proxy_set_body"])

test.each(
  unmended.flatMap(({ cves, line }) =>
    line instanceof RegExp
      ? []
      : line.filter((name) => !harmlessHere.has(name)).map((name) => [name, cves.join(", ")] as const),
  ),
)("%s (CVE-%s) is printed of no snippet of an Ingress", (name) => {
  const printed = rows.filter((row) => row.name === name && ["data", "typed"].includes(row.becomes))
  const places = printed
    .flatMap(({ contexts }) => contexts)
    .filter((it) => it === "server" || it === "location")
  expect(places).toEqual([])
})

test("no snippet of an Ingress speaks HTTP/2 to backends", () => {
  const options = { namespace: "cve", isVariable: () => true }
  expect(compileSnippet("proxy_http_version 2;", "location", options)).toMatchObject({
    text: [],
    refused: [{}],
  })
})

const changelog = gunzipSync(
  readFileSync(join(root, "out/nginx/usr/share/doc/nginx/changelog.Debian.gz")),
).toString()
/** Has all of them from upstream; a package of another version names what it brings back. */
const { version, hasHttp3 } = await nginxTraits(nginxBinary)
const isNew = isAtLeast(version, [1, 30, 7])
const all = [...mended, ...(hasHttp3 ? mendedInHttp3 : [])]
/** Debian's testing gets its fixes when it gets them; no image is made of it. */
const isOfRelease = /^nginx \(.+\+deb\d+u/.test(changelog)

test
  .runIf(isOfRelease || isNew)
  .each(all.flatMap(({ cves, what }) => cves.map((cve) => [`CVE-${cve}`, what] as const)))(
  "%s, %s: nginx is mended",
  (cve) => {
    expect(isNew || changelog.includes(cve)).toBe(true)
  },
)

// javascript.ts FROM TO: the controller as JavaScript, for the image: without types to strip a start takes less time and memory. Lines and
// columns stay where they are.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join } from "node:path"

const [from = "", to = ""] = process.argv.slice(2)
for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
  if (!path.endsWith(".ts")) continue
  const target = join(to, path.replace(/\.ts$/, ".js"))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, toJavaScript(readFileSync(join(from, path), "utf8")))
}

/** What names a file beside it names the one that is there then. */
function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(/("\.{1,2}\/[^"\n]*)\.ts"/g, '$1.js"')
}

// javascript.ts FROM TO: a folder of the controller as JavaScript, for the image: without types to strip a start takes less time and memory. Lines and
// columns stay where they are. What else the page consists of is copied.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, extname, join } from "node:path"

const [from = "", to = ""] = process.argv.slice(2)
for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
  if (![".ts", ".html", ".css", ".svg"].includes(extname(path))) continue
  const [source, target] = [join(from, path), join(to, path.replace(/\.ts$/, ".js"))]
  mkdirSync(dirname(target), { recursive: true })
  if (path.endsWith(".ts")) writeFileSync(target, toJavaScript(readFileSync(source, "utf8")))
  else copyFileSync(source, target)
}

/** What names a file beside it names the one that is there then. */
function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(/("\.{1,2}\/[^"\n]*)\.ts"/g, '$1.js"')
}

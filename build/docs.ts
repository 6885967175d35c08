// Prints docs/reference, docs/differences, the numbers in README.md, dashboards and alerts, from the tables of annotations, keys, flags, Problems, panels and rules: npm run docs.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pages } from "./reference/pages.ts"

const root = join(import.meta.dirname, "..")
for (const [path, text] of Object.entries(pages())) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

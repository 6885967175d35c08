// Prints docs/reference, docs/differences, the numbers in README.md dashboards and alerts, from the tables of annotations, keys, flags, Problems, panels and rules: npm run docs.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages } from "./reference/pages.ts"

const root = join(import.meta.dirname, "..")
for (const folder of ["docs/reference", "docs/differences", "deploy/chart/dashboards", "deploy/chart/alerts"])
  mkdirSync(join(root, folder), { recursive: true })
for (const [path, text] of Object.entries(pages())) writeFileSync(join(root, path), text)

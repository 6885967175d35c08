// Prints docs/reference, the numbers in README.md and the dashboards, from the tables of annotations, keys, flags, Problems and panels: npm run docs.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages } from "./reference/pages.ts"

const root = join(import.meta.dirname, "..")
for (const folder of ["docs/reference", "deploy/chart/dashboards"])
  mkdirSync(join(root, folder), { recursive: true })
for (const [path, text] of Object.entries(pages())) writeFileSync(join(root, path), text)

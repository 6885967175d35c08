// Prints docs/reference, and the numbers in README.md, from the tables of annotations, keys, flags and Problems: npm run docs.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages } from "./reference/pages.ts"

const root = join(import.meta.dirname, "..")
mkdirSync(join(root, "docs/reference"), { recursive: true })
for (const [path, text] of Object.entries(pages())) writeFileSync(join(root, path), text)

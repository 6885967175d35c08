// Prints docs/reference from the tables of annotations, keys, flags and Problems: npm run docs.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages } from "./reference/pages.ts"

const folder = join(import.meta.dirname, "../docs/reference")
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(pages())) writeFileSync(join(folder, name), text)

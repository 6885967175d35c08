// Prints from wire/ what the controller, the filter and nginx's modules have of the posted format and of the records: npm run wire.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { printed } from "./wire/files.ts"

const root = join(import.meta.dirname, "..")
for (const [path, text] of Object.entries(await printed())) writeFileSync(join(root, path), text)

// The test filters (filters/assembly), compiled when first asked for and kept while their sources stay the same.
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { nodeBinary, root } from "../../../support/paths.ts"

const sources = join(import.meta.dirname, "../filters/assembly")
const kept = join(root, "out/test-filters")
const asc = join(root, "node_modules/assemblyscript/bin/asc.js")

/** `probe` does what its configuration says, `rotate` goes round a posted list, `plain` has no callbacks, `mistyped` has a wrong one. */
export type FilterName = "probe" | "rotate" | "plain" | "mistyped" | "foreigner"

/** Path of a compiled test filter. */
export async function filter(name: FilterName): Promise<string> {
  const file = join(kept, `${name}-${fingerprint()}.wasm`)
  if (existsSync(file)) return file
  mkdirSync(kept, { recursive: true })
  const fresh = `${file}.${process.pid}`
  const options = ["--runtime", "incremental", "-O3", "--outFile", fresh]
  await promisify(execFile)(nodeBinary, [asc, `${name}.ts`, ...options], { cwd: sources })
  renameSync(fresh, file) // at once: another process may be doing the same
  return file
}

function fingerprint(): string {
  const hash = createHash("sha256")
  for (const name of readdirSync(sources).sort()) hash.update(readFileSync(join(sources, name)))
  return hash.digest("hex").slice(0, 12)
}

// Filters of the tests, compiled when first asked for and kept in out/test-filters for as long as what they are made of stays the same.
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { nodeBinary, root } from "./paths.ts"

const kept = join(root, "out/test-filters")
const compiler = "node_modules/assemblyscript"

export interface AssemblySource {
  readonly name: string
  /** of the compiler, where its paths begin */
  readonly folder: string
  readonly entry: string
  readonly options: readonly string[]
  /** files and folders of the checkout that the filter is made of */
  readonly inputs: readonly string[]
}

/** Path of the compiled filter. */
export async function assembled({ name, folder, entry, options, inputs }: AssemblySource): Promise<string> {
  const file = join(kept, `${name}-${fingerprint([...inputs, `${compiler}/package.json`], options)}.wasm`)
  if (existsSync(file)) return file
  mkdirSync(kept, { recursive: true })
  const fresh = `${file}.${process.pid}`
  const asc = join(root, compiler, "bin/asc.js")
  await promisify(execFile)(nodeBinary, [asc, entry, ...options, "--outFile", fresh], { cwd: folder })
  renameSync(fresh, file) // at once: another process may be doing the same
  return file
}

function fingerprint(inputs: readonly string[], options: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(options))
  for (const file of inputs.flatMap(filesOf))
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest("hex").slice(0, 12)
}

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

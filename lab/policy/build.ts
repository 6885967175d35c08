/** Compiles a policy in AssemblyScript: its file, the package `wick-policy` and the entry that connects them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, normalize, relative, resolve } from "node:path"
import asc from "assemblyscript/asc"
import { root } from "../../harness/paths.ts"
import { Failure } from "./failure.ts"

const packageFolder = join(root, "policy-as/assembly")
/** Where the compiler looks for packages; the folder has no such thing, it is answered from this checkout. */
const packagePath = "node_modules/wick-policy/"
/** The name of the entry beside the policy; no file is written. */
const entryName = "wick-policy-entry.ts"

/** Integers wrap and divide as WebAssembly does; indexes are checked, a failed assertion is a trap. */
const options = ["-O3", "--runtime", "incremental", "--use", "abort=", "--debug"]

/**
 * @param source path of the policy's file
 * @returns the module
 * @throws Failure with what the compiler says
 */
export async function compile(source: string): Promise<Uint8Array> {
  const folder = dirname(resolve(source))
  if (!existsSync(source)) throw new Failure(`There is no ${source}`)
  let module: Uint8Array | undefined
  const said: string[] = []
  const { error } = await asc.main([entryName, "--baseDir", folder, "--outFile", "policy.wasm", ...options], {
    readFile: (name, base) => read(resolve(base, name), folder, source),
    writeFile: (_name, contents) => {
      if (typeof contents !== "string") module = contents
    },
    listFiles: () => [],
    stdout: { write: (chunk: string) => void said.push(chunk) },
    stderr: { write: (chunk: string) => void said.push(chunk) },
  })
  if (error || !module)
    throw new Failure(`The compiler refuses ${relative("", source)}:\n\n${said.join("").trim() || error}`)
  return module
}

/** Compiles a policy and writes the module. */
export async function build(source: string, target: string): Promise<Uint8Array> {
  const module = await compile(source)
  mkdirSync(dirname(resolve(target)), { recursive: true })
  writeFileSync(target, module)
  return module
}

/** The text of a file as the compiler sees it; null if there is none. */
function read(path: string, folder: string, source: string): string | null {
  const name = normalize(relative(folder, path))
  if (name === entryName) return entryOf(source)
  if (name.startsWith(packagePath)) return contentsOf(join(packageFolder, name.slice(packagePath.length)))
  return contentsOf(path)
}

function entryOf(source: string): string {
  const text = readFileSync(join(packageFolder, "entry.ts"), "utf8")
  const policy = relative(dirname(source), source).replace(/\.ts$/, "")
  return text.replace('from "policy"', `from "./${policy}"`)
}

function contentsOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null
}

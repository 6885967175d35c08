/** What a command of `wick policy` is about: a folder with a policy.ts, or a module of whatever language. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { root } from "../../harness/paths.ts"
import { build } from "./build.ts"
import { type Description, describe } from "./description.ts"
import { Failure } from "./failure.ts"

export interface Subject {
  readonly name: string
  readonly folder: string
  /** Path of the module. */
  readonly file: string
  readonly wasm: Uint8Array<ArrayBuffer>
  readonly description: Description
}

/** @throws Failure when there is no policy, or the compiler refuses it */
export async function subjectOf(path: string, say: (line: string) => void = () => {}): Promise<Subject> {
  if (path.endsWith(".wasm")) return moduleAt(resolve(path))
  const folder = resolve(path)
  const source = join(folder, "policy.ts")
  if (!existsSync(source)) {
    throw new Failure(`There is no policy.ts in ${folder}: name the folder of a policy, or a .wasm file`)
  }
  const file = join(folder, "build/policy.wasm")
  if (!isFresh(file, folder)) {
    say(`compiling ${relative("", source)} …`)
    await build(source, file)
  }
  return { ...moduleAt(file, folder), name: basename(folder) }
}

/** `policy.yaml` lies beside the module, or above its folder `build`. */
const folderOf = (file: string) =>
  basename(dirname(file)) === "build" ? dirname(dirname(file)) : dirname(file)

function moduleAt(file: string, folder = folderOf(file)): Subject {
  if (!existsSync(file)) throw new Failure(`There is no ${file}`)
  return {
    name: basename(file, ".wasm"),
    folder,
    file,
    wasm: new Uint8Array(readFileSync(file)),
    description: describe(join(folder, "policy.yaml")),
  }
}

/** Is the module younger than everything that it is made of? */
function isFresh(file: string, folder: string): boolean {
  if (!existsSync(file)) return false
  const made = statSync(file).mtimeMs
  const sources = [
    ...globSync("**/*.ts", { cwd: folder, exclude: ["**/node_modules/**"] }).map((name) =>
      join(folder, name),
    ),
    ...globSync("policy-as/assembly/**/*.ts", { cwd: root }).map((name) => join(root, name)),
  ]
  return sources.every((source) => statSync(source).mtimeMs < made)
}

/** @throws Failure */
export function compiled({ file, wasm }: Pick<Subject, "file" | "wasm">): WebAssembly.Module {
  try {
    return new WebAssembly.Module(wasm)
  } catch (error) {
    throw new Failure(`${file} is no WebAssembly module: ${(error as Error).message}`)
  }
}
